// A symbolic index may read past a heap block.
//! exits: 0 1
//! paths[O0]: 4
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i > 9)
    return 0;
  volatile char *p = calloc(8, 1);
  p[3] = 1;
  char c = p[i]; //~ BUG out-of-bounds-read
  free((void *)p);
  if (c)
    return 1;
  return 0;
}
