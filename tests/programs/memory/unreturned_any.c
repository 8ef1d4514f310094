// A function that returns 16 bits leaves the rest of the register undefined, and no value of memory stands for it.
// Without optimisation, the native program finds there what earlier code left.
//! args: --uninit any
//! levels: O1 O2
//! exits: 0 1
//! given-up: uses more of a result
#include <klee/klee.h>

short __attribute__((noinline)) low_half(int x) { return (short)x; }

int main(void) {
  int (*volatile function)(int) = (int (*)(int))low_half;
  int x = klee_range(0, 3, "x");
  if (function(x) == 1)
    return 1;
  return 0;
}
