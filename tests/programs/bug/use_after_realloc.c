// The old pointer is used after `realloc` has moved the block.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char grow;
  klee_make_symbolic(&grow, sizeof grow, "grow");
  volatile char *old = malloc(8);
  char *volatile now = (char *)old;
  old[0] = 1;
  if (grow)
    now = realloc(now, 100000);
  old[1] = 2; //~ BUG use-after-free
  free(now);
  return 0;
}
