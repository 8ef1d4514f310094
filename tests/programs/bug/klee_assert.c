// KLEE's assertion stays with NDEBUG, the standard one goes.
//! exits: 0
//! paths[O0]: 2
#define NDEBUG
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  assert(x > 100);
  klee_assert(x > -100); //~ BUG assertion
  return 0;
}
