// After the block has been made smaller its old end is out of bounds.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char shrink;
  klee_make_symbolic(&shrink, sizeof shrink, "shrink");
  char *p = malloc(12);
  if (shrink == 1)
    p = realloc(p, 10);
  volatile char *q = p;
  q[11] = 1; //~ BUG out-of-bounds-write
  free(p);
  return 0;
}
