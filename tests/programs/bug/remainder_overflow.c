// LONG_MIN % -1 traps on x86-64 although the remainder would be 0.
//! exits: 0
#include <klee/klee.h>
#include <limits.h>

volatile long divisor, result;

int main(void) {
  signed char d;
  klee_make_symbolic(&d, sizeof d, "d");
  if (d >= 0)
    return 0;
  divisor = d;
  volatile long dividend = LONG_MIN;
  result = dividend % divisor; //~ BUG division-overflow
  return 0;
}
