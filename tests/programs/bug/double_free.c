// Two conditions that are not exclusive each free the block.
//! exits: 0
//! paths[O0]: 4
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned flags;
  klee_make_symbolic(&flags, sizeof flags, "flags");
  void *volatile p = malloc(16);
  if (flags & 1)
    free(p);
  if (flags & 2)
    free(p); //~ BUG double-free
  return 0;
}
