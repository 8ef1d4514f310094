// rint and lrint follow the rounding mode; floor, round and conversions do not.
//! exits: 0
#include <fenv.h>
#include <math.h>
#include "klee/klee.h"

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x > 2.0);
  klee_assume(x < 3.0);
  fesetround(FE_UPWARD);
  volatile double up = rint(x);
  volatile long long_up = lrint(x);
  fesetround(FE_DOWNWARD);
  volatile double down = nearbyint(x);
  volatile double upper = ceil(x);
  volatile int cut = (int)x;
  fesetround(FE_TONEAREST);
  if (up != 3.0) return 1;
  if (long_up != 3) return 2;
  if (down != 2.0) return 3;
  if (upper != 3.0) return 4;
  if (cut != 2) return 5;
  return 0;
}
