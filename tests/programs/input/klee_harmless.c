// The parts of KLEE's interface that have no effect on the result.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_prefer_cex(&x, x > 32);
  volatile unsigned symbolic = klee_is_symbolic((uintptr_t)x);
  (void)symbolic;
  klee_warning("a warning");
  klee_warning_once("another one");
  klee_open_merge();
  volatile int r = 0;
  if (x == 3)
    r = 1;
  klee_close_merge();
  return r;
}
