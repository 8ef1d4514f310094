// An option is recognised.
//! args: --sym-args 1 1 2
//! exits: 0 1 2
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 9;
  if (strlen(argv[1]) > 2)
    return 8;
  if (strcmp(argv[1], "-v") == 0)
    return 1;
  if (argv[1][0] == '-')
    return 2;
  return 0;
}
