// fmin and fmax prefer a number to what is not a number.
//! exits: 0 1
#include <klee/klee.h>
#include <math.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  float low = fminf(x, 10.0f), high = fmaxf(x, 10.0f);
  klee_assert(low <= 10.0f);
  klee_assert(high >= 10.0f);
  if (isnan(x)) {
    klee_assert(low == 10.0f && high == 10.0f);
    return 1;
  }
  return 0;
}
