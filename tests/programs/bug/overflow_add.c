// Signed addition overflows for large operands.
//! args: --check overflow
//! exits: 0 1
#include <klee/klee.h>

volatile int sum;

int main(void) {
  int x = klee_int("x");
  if (x < 0)
    return 1;
  sum = x + 1000; //~ BUG signed-overflow
  return 0;
}
