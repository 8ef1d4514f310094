// A guarded call of `abort`.
//! exits: 0
//! paths: 2
//! branches: all
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x * 3 == 0x12345678 * 3u)
    abort(); //~ BUG abort
  return 0;
}
