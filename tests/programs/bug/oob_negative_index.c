// A signed index is checked only against the upper bound.
//! exits: 0 1
//! paths[O0]: 4
#include <klee/klee.h>

int main(void) {
  volatile short a[5] = {1, 0, 1, 0, 1};
  signed char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i >= -3);
  if (i >= 5)
    return 0;
  if (a[i] == 1) //~ BUG out-of-bounds-read
    return 1;
  return 0;
}
