// The size of a block is input; every access stays inside.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n == 0 || n > 3)
    return 0;
  char *p = malloc(n);
  for (int i = 0; i < n; i++)
    p[i] = (char)(i + 1);
  int last = p[n - 1];
  free(p);
  klee_assert(last == n);
  return last;
}
