// The six comparisons of floats, one path each way.
//! exits: 0 1 2 3
//! paths[O0]: 4
//! branches[O0]: all
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < -1.5f)
    return 1;
  if (x > 1e10f)
    return 2;
  if (x != x)
    return 3;
  return 0;
}
