// Negative zero equals zero, and one divided by it tells them apart.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x != 0.0f)
    return 0;
  if (1.0f / x > 0.0f)
    return 1;
  return 2;
}
