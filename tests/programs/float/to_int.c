// Conversion to an integer cuts off the fraction.
//! exits: 0 1 2
//! paths[O0]: 5
#include <klee/klee.h>

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (!(x > -1000.0 && x < 1000.0))
    return 0;
  int i = (int)x;
  if (i == 42)
    return 1;
  if (i == -7)
    return 2;
  return 0;
}
