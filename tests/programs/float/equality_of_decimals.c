// 0.1 + 0.2 is not 0.3 in double, and it is in float.
//! exits: 0 1 2
//! paths[O0]: 3
#include <klee/klee.h>

int main(void) {
  volatile double a = 0.1, b = 0.2;
  volatile float c = 0.1f, d = 0.2f;
  int x = klee_int("x");
  if (x == (a + b == 0.3) + 10)
    return 1;
  if (x == (c + d == 0.3f) + 10)
    return 2;
  return 0;
}
