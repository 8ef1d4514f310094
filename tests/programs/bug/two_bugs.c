// Two bugs on different paths are both found.
//! exits: 0
//! paths: 3
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  short x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == 1111)
    abort(); //~ BUG abort
  if (x == 2222)
    assert(0 && "x is 2222"); //~ BUG assertion
  return 0;
}
