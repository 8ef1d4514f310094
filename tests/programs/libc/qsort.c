// The C library sorts three symbolic numbers.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int a[3];
  klee_make_symbolic(a, sizeof a, "a");
  qsort(a, 3, sizeof a[0], compare);
  klee_assert((a[0] <= a[1]) & (a[1] <= a[2]));
  return 0;
}
