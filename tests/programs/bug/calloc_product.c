// The product of two sizes wraps round, so the block is smaller than what is written.
//! exits: 0 1
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char count;
  klee_make_symbolic(&count, sizeof count, "count");
  if (count != 2 && count != 130)
    return 1;
  unsigned char bytes = (unsigned char)(count * 2);
  volatile short *p = malloc(bytes);
  p[0] = 1;
  p[1] = 2;
  if (count > 2)
    p[2] = 3; //~ BUG out-of-bounds-write
  free((void *)p);
  return 0;
}
