// A promise to the compiler that does not hold for every input.
// An optimising compiler uses the promise and leaves nothing to check.
//! levels: O0
//! exits: 0
#include <klee/klee.h>

volatile int sink;

int main(void) {
  int x = klee_int("x");
  __builtin_assume(x < 1000); //~ BUG unreachable
  sink = x;
  return 0;
}
