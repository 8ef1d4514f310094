// A product that is exact decides.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x * 2.0f == 5.0f)
    return 1;
  return 0;
}
