// The loop condition says <= where < is right: the last round writes past the block.
//! exits: 0
//! paths[O0]: 6
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int n = klee_range(0, 6, "n");
  volatile int *a = malloc(5 * sizeof(int));
  for (int i = 0; i <= n; i++)
    a[i] = i; //~ BUG out-of-bounds-write
  free((void *)a);
  return 0;
}
