// The square root of small integers is found backwards.
//! exits: 0 1 2
#include <klee/klee.h>
#include <math.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  float r = sqrtf((float)n);
  if (r == 7.0f)
    return n == 49 ? 1 : 3;
  if (r > 15.9f)
    return 2;
  return 0;
}
