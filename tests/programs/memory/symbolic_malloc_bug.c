// The size of a block is input; one size is too small for what is written.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n >= 4);
  klee_assume(n <= 6);
  volatile char *p = malloc(n);
  p[4] = 1; //~ BUG out-of-bounds-write
  free((void *)p);
  return 0;
}
