// The two indices of a matrix are swapped; only some values leave the matrix.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>

volatile int m[2][3];

int main(void) {
  int row = klee_range(0, 2, "row");
  int column = klee_range(0, 3, "column");
  volatile int *flat = &m[0][0];
  flat[column * 3 + row] = 1; //~ BUG out-of-bounds-write
  return 0;
}
