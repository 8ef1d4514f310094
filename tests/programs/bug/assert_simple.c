// One comparison against a constant decides whether the assertion holds.
//! exits: 0
//! paths[O0]: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(x != 12345); //~ BUG assertion
  return 0;
}
