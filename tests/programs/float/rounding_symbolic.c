// A sum that is exact in no mode: rounding up and down enclose it, and the solver knows how.
//! exits: 0 1
#include <fenv.h>
#include "klee/klee.h"

__attribute__((noinline)) float add(volatile float x, volatile float y) { return x + y; }

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x >= 1.0f);
  klee_assume(x <= 2.0f);
  fesetround(FE_DOWNWARD);
  float low = add(x, 0x1p-24f);
  fesetround(FE_UPWARD);
  float high = add(x, 0x1p-24f);
  fesetround(FE_TONEAREST);
  if (low > high) return 9;
  if (low == high) return 8;
  // What is halfway between two floats goes to the even one.
  if (add(x, 0x1p-24f) == high) return 1;
  return 0;
}
