// One division has two ways to fail.
//! exits: 0
#include <klee/klee.h>

volatile int quotient;

int main(void) {
  int a = klee_int("a");
  int b = klee_int("b");
  volatile int dividend = a;
  volatile int divisor = b;
  quotient = dividend / divisor; //~ BUG division-by-zero //~ BUG division-overflow
  return 0;
}
