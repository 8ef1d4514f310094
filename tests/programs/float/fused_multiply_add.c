// A fused multiply-add rounds once.
//! exits: 0 1
#include <klee/klee.h>
#include <math.h>

int main(void) {
  signed char n;
  klee_make_symbolic(&n, sizeof n, "n");
  float x = n;
  float r = fmaf(x, 3.0f, 1.0f);
  klee_assert(r == (float)(3 * n + 1));
  if (r == 100.0f)
    return 1;
  return 0;
}
