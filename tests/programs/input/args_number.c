// An argument is a number of up to two digits.
//! args: --sym-args 1 1 2
//! exits-some: 0 1 2
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 9;
  int n = atoi(argv[1]);
  if (n == 42)
    return 1;
  return n < 0 ? 2 : 0;
}
