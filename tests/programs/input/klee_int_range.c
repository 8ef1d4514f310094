// `klee_int` and the half-open `klee_range`.
//! exits: 0 1 2
//! paths[O0]: 3
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  int y = klee_range(-5, 5, "y");
  int z = klee_range(3, 4, "z");
  klee_assert((y >= -5) & (y < 5));
  klee_assert(z == 3);
  if (x == y * 1000)
    return 1;
  if (y == 4)
    return 2;
  return 0;
}
