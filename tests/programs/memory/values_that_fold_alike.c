// Values whose halves fold to the same 32 bits, or to all ones, are still different paths, also where fresh inputs are tried.
//! args: --search hybrid --sym-stdin 1
//! exits: 0 1
//! paths[O0]: 9
#include <unistd.h>
#include "klee/klee.h"

int main(void) {
  unsigned n;
  char c;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n < (unsigned)-8) return 1;
  if (read(0, &c, n) != 1) return 2;
  return 0;
}
