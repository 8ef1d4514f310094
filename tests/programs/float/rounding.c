// Four ways to round.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <math.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (!(x > -100.0f && x < 100.0f))
    return 0;
  float down = floorf(x), up = ceilf(x), cut = truncf(x), near = roundf(x);
  klee_assert(down <= x && x <= up);
  klee_assert(cut == (x < 0 ? up : down));
  klee_assert(near == down || near == up);
  if (down == up)
    return 1;
  if (x < 0 && near == down)
    return 2;
  return 3;
}
