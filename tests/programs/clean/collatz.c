// Small start values of the Collatz sequence; the bound is never hit.
//! exits: 0
#include <klee/klee.h>

int main(void) {
  int n = klee_range(1, 12, "n");
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    klee_assert(++steps < 25);
  }
  return 0;
}
