/* Starts the checked program the way the machine does, inside the bitcode. */
#include <stdlib.h>

extern char **__environ, *__progname_full;
int checked_main(int argc, char **argv);

int program(int argc, char **argv, char **environment) {
  __environ = environment;
  __progname_full = argv[0];
  exit(checked_main(argc, argv));
}
