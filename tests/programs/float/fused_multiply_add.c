// A fused multiply-add rounds once.
//! exits-some: 0 1
#include <klee/klee.h>
#include <math.h>

int main(void) {
  signed char n;
  klee_make_symbolic(&n, sizeof n, "n");
  float x = n;
  float r = fmaf(x, 3.0f, 1.0f);
  klee_assert(r == (float)(3 * n + 1));
  return r == 100.0f;
}
