// An assertion that fails for exactly one float.
//! exits: 0
//! paths[O0]: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(x + 0.25f != 1000.125f); //~ BUG assertion
  return 0;
}
