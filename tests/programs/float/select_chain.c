// Clamping a float without and with branches.
//! exits: 0 1 2
#include <klee/klee.h>

static float clamp(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  float y = clamp(x);
  if (y != y)
    return 2;
  klee_assert(y >= 0.0f && y <= 1.0f);
  if (y == 0.25f)
    return 1;
  return 0;
}
