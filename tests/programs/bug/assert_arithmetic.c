// A claim about arithmetic that fails for exactly one input.
//! exits: 0
//! paths[O0]: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned y = (x ^ 0x5a5a5a5a) + 0x1111;
  assert(y != 0xdeadbeef); //~ BUG assertion
  return 0;
}
