// Large integers are rounded when they become floats.
//! exits-some: 0 1
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x < 0)
    return 0;
  float f = (float)x;
  double d = x;
  klee_assert((int)d == x);
  return (double)f != d;
}
