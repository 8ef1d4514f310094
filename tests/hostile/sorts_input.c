// All orders of sixteen numbers.
#include <klee/klee.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
int main(void) {
  int x[16];
  klee_make_symbolic(x, sizeof x, "x");
  qsort(x, 16, sizeof *x, compare);
  return x[0] > x[15];
}
