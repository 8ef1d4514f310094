// A length that is computed in eight bits wraps round, so that the check lets a large one pass.
//! exits: 0 1
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  unsigned char size = n + 2;
  if (size > 4)
    return 1;
  volatile char *p = malloc(5);
  if (n < 254)
    n = n + 1;
  else
    n = n - 248;
  p[n - 1] = 'x'; //~ BUG out-of-bounds-write
  free((void *)p);
  return 0;
}
