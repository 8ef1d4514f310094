// A pointer into the middle of a block is freed.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int k = klee_range(0, 3, "k");
  char *p = malloc(8);
  char *volatile q = p + k;
  free(q); //~ BUG invalid-free
  return 0;
}
