// Functions of math.h that are exact.
//! exits: 0 1
#include <klee/klee.h>
#include <math.h>

int main(void) {
  signed char n;
  klee_make_symbolic(&n, sizeof n, "n");
  double x = n * 0.5;
  klee_assert(floor(x) <= x && ceil(x) >= x);
  klee_assert(fabs(x) * 2 == (n < 0 ? -n : n));
  klee_assert(rint(x) == nearbyint(x));
  klee_assert(fmax(x, 3.0) >= fmin(x, 3.0));
  klee_assert(lround((double)n) == n);
  if (trunc(x) == 20.0 && x != 20.0)
    return 1;
  return 0;
}
