// Zero, subnormal, normal, infinite and not a number.
//! exits: 1 2 3 4 5
#include <klee/klee.h>
#include <math.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (fpclassify(x)) {
  case FP_ZERO:
    return 1;
  case FP_SUBNORMAL:
    return 2;
  case FP_NORMAL:
    return 3;
  case FP_INFINITE:
    return 4;
  case FP_NAN:
    return 5;
  }
  return 0;
}
