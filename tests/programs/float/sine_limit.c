// No solver knows the sine: a value above the limit is found by evaluating many.
//! exits: 0 1
#include <klee/klee.h>
#include <math.h>

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (sin(x) > 0.99)
    return 1;
  return 0;
}
