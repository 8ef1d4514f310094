// Pointers into one object are compared and subtracted.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  long a[10];
  int i = klee_range(0, 10, "i");
  long *p = a + i, *q = a + 4;
  if (p < q)
    return 1;
  if (p - q == 3)
    return 2;
  klee_assert(p >= q && p - a == i);
  return 0;
}
