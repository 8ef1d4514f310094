// Only an input with a right checksum reaches the bug.
//! exits: 0 1
//! paths: 3
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char p[5];
  klee_make_symbolic(p, sizeof p, "packet");
  unsigned sum = 0;
  for (int i = 0; i < 4; i++)
    sum = sum * 31 + p[i];
  if ((sum & 0xff) != p[4])
    return 1;
  if (p[0] == 0xca)
    abort(); //~ BUG abort
  return 0;
}
