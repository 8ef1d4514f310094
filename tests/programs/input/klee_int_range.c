// `klee_int` and the half-open `klee_range`.
//! exits-some: 0 1 2
//! paths[O0]: 2
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  int y = klee_range(-5, 5, "y");
  int z = klee_range(3, 4, "z");
  klee_assert((y >= -5) & (y < 5));
  klee_assert(z == 3);
  if (x == y * 1000)
    return 1;
  return y == 4 ? 2 : 0;
}
