// An allocation of any size.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  char *block = malloc(n);
  if (block != 0 && n > 100) memset(block, 1, n);
  return block == 0;
}
