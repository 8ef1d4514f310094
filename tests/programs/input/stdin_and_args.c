// Two sources of input at once.
//! args: --sym-args 1 1 1 --sym-stdin 1
//! exits: 0 1
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 9;
  int c = getchar();
  if (c == EOF)
    return 8;
  if (c == 'k' && argv[1][0] == 'k')
    return 1;
  return 0;
}
