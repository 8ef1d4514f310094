// Floating-point choices.
//! exits: 0 1 2
//! paths[O0]: 3
#include <svcomp.h>

int main(void) {
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double();
  if (f == 2.5f)
    return 1;
  if (d > 1e300)
    return 2;
  return 0;
}
