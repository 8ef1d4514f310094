/* Starts the checked program the way the machine does, inside the bitcode. */
#include <stdlib.h>

extern char **__environ;
int checked_main(int argc, char **argv);

int program(int argc, char **argv, char **environment) {
  __environ = environment;
  exit(checked_main(argc, argv));
}
