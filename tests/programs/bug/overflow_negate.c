// The absolute value of INT_MIN does not exist.
//! args: --check overflow
//! exits: 0
#include <klee/klee.h>

volatile int result;

int main(void) {
  int x = klee_int("x");
  if (x < 0)
    x = -x; //~ BUG signed-overflow
  result = x;
  return 0;
}
