// Negation and absolute value only touch the sign bit.
//! exits: 0 1
#include <klee/klee.h>
#include <math.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (isnan(x))
    return 0;
  klee_assert(fabsf(x) >= 0.0f);
  klee_assert(fabsf(-x) == fabsf(x));
  klee_assert(-(-x) == x);
  klee_assert(copysignf(x, -1.0f) == -fabsf(x));
  if (signbit(x) != 0)
    return 1;
  return 0;
}
