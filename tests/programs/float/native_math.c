// sin, cos, exp and log are called with the value at hand, which the path has fixed.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <math.h>

int main(void) {
  int x = klee_int("x");
  if (x == 1) {
    double d = exp(log((double)x));
    return d == 1.0 ? 1 : 9;
  }
  if (x == 2)
    return pow(2.0, x + 8) == 1024.0 ? 2 : 9;
  if (x == 3) {
    double a = sin((double)x), b = cos((double)x);
    double one = a * a + b * b;
    return one > 0.999999 && one < 1.000001 ? 3 : 9;
  }
  return 0;
}
