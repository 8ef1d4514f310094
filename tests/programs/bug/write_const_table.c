// A table that is declared constant is written at a symbolic index.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>

const int table[4] = {1, 2, 3, 4};

int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 4)
    return 0;
  int *volatile p = (int *)table;
  p[i] = 0; //~ BUG read-only-write
  return 0;
}
