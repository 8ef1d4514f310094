// A symbolic index may write one past a local array.
//! exits: 0
//! paths[O0]: 3
#include <klee/klee.h>

int main(void) {
  volatile int a[4] = {0, 0, 0, 0};
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i > 4)
    return 0;
  a[i] = 7; //~ BUG out-of-bounds-write
  return a[0] * 0;
}
