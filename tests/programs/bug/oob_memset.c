// A buffer is cleared with a length that was meant for another one.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n < 4 || n > 6)
    return 0;
  char *p = malloc(5);
  char *volatile q = p;
  memset(q, 0, n); //~ BUG out-of-bounds-write
  free(p);
  return 0;
}
