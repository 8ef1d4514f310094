// Two sizes must be concrete, and each may have several values; a branch follows for each pair of them.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n, m, x;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&m, sizeof m, "m");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(n >= 3 && n < 7);
  klee_assume(m >= 10 && m < 13);
  char *p = malloc(n), *q = malloc(m);
  if (x == 'x')
    return 1;
  free(p);
  free(q);
  return 0;
}
