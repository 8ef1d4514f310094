// The functions that are called natively are those of the usual rounding mode.
//! unsupported: rounding mode
#include <fenv.h>
#include <math.h>
#include "klee/klee.h"

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  fesetround(FE_DOWNWARD);
  volatile double y = sin(x);
  return y > 0.5;
}
