// Euclid's algorithm on small numbers.
//! exits: 0
#include <klee/klee.h>

int main(void) {
  int a = klee_range(1, 13, "a");
  int b = klee_range(1, 9, "b");
  int x = a, y = b;
  while (y != 0) {
    int t = x % y;
    x = y;
    y = t;
  }
  klee_assert(a % x == 0);
  klee_assert(b % x == 0);
  return 0;
}
