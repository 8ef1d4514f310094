// A small summand is lost against a large one.
//! exits: 0 1
//! paths[O0]: 4
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile float sum = x + 1.0f;
  if (sum == x) {
    if (x > 0 && x < 1e30f)
      return 1;
  }
  return 0;
}
