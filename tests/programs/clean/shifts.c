// Shifts by symbolic amounts, logical and arithmetic.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  unsigned char n;
  int x = klee_int("x");
  klee_make_symbolic(&n, sizeof n, "n");
  if (n >= 32)
    return 0;
  unsigned one = 1u << n;
  if ((one & (one - 1)) != 0)
    return 3;
  int down = x >> n;
  if ((down < 0) != (x < 0))
    return 4;
  if ((unsigned)x >> n == 0x7fff)
    return 1;
  if (down == -3)
    return 2;
  return 0;
}
