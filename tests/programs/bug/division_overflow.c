// The only quotient that does not fit: INT_MIN / -1.
//! exits: 0 1
//! paths[O0]: 4
#include <klee/klee.h>
#include <limits.h>

volatile int result;

__attribute__((noinline)) int divide(int a, int b) {
  if (b == 0)
    return 0;
  return a / b; //~ BUG division-overflow
}

int main(void) {
  int a = klee_int("a");
  int b = klee_int("b");
  klee_assume(a == INT_MIN || a == 6);
  klee_assume(b == -1 || b == 0);
  result = divide(a, b);
  if (b == 0)
    return 1;
  return 0;
}
