// Sizes whose halves fold to the same 32 bits, or to all ones, are still different paths, also where fresh inputs are tried.
//! args: --search hybrid
//! exits: 0 1
//! paths[O0]: 9
#include <stdlib.h>
#include "klee/klee.h"

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n < (unsigned)-8) return 1;
  char *p = malloc(n);
  free(p);
  return 0;
}
