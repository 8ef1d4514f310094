// An argument is a number of up to two digits.
//! args: --sym-args 1 1 2
//! exits: 0 1 2
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 9;
  int n = atoi(argv[1]);
  if (n == 42)
    return 1;
  if (n < 0)
    return 2;
  return 0;
}
