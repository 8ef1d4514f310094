// `klee_choose` picks a number below its argument.
//! exits: 0 1 2
//! paths[O0]: 3
#include <klee/klee.h>

int main(void) {
  uintptr_t k = klee_choose(3);
  klee_assert(k < 3);
  if (k == 1)
    return 1;
  if (k == 2)
    return 2;
  return 0;
}
