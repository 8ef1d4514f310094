// The result of an addition, a multiplication, a division, a square root and conversions depends on the rounding mode.
//! exits: 0 1 2 3
#include <fenv.h>
#include <math.h>
#include "klee/klee.h"

static int set(int mode) {
  switch (mode) {
    case 0: return fesetround(FE_TONEAREST);
    case 1: return fesetround(FE_DOWNWARD);
    case 2: return fesetround(FE_UPWARD);
    default: return fesetround(FE_TOWARDZERO);
  }
}

__attribute__((noinline)) double third(volatile double one, volatile double three) { return one / three; }

int main(void) {
  int mode;
  klee_make_symbolic(&mode, sizeof mode, "mode");
  klee_assume(mode >= 0);
  klee_assume(mode <= 3);
  if (set(mode) != 0) return 9;
  // In every mode another set of these is below the nearest value.
  int below = third(1, 3) < 0x1.5555555555556p-2 && third(-1, 3) <= -0x1.5555555555555p-2;
  if (!below && fegetround() != FE_UPWARD) return 8;
  if (third(1, 3) > 0x1.5555555555555p-2) return fegetround() == FE_UPWARD ? 2 : 7;
  if (third(-1, 3) < -0x1.5555555555555p-2) return fegetround() == FE_DOWNWARD ? 1 : 6;
  if (third(2, 3) < 0x1.5555555555555p-1) return 5;
  return fegetround() == FE_TONEAREST ? 0 : 3;
}
