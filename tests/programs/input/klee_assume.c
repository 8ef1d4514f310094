// Assumptions restrict what is explored.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  int y = klee_int("y");
  klee_assume((x > 100) & (x < 110));
  klee_assume(y == x * 2);
  klee_assert(y > 201);
  if (y == 214)
    return 1;
  return 0;
}
