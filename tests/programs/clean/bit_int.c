// Integers of odd widths.
//! exits: 0 1 2
#include <klee/klee.h>

typedef unsigned _BitInt(37) u37;
typedef _BitInt(23) s23;
typedef unsigned _BitInt(100) u100;

int main(void) {
  unsigned long x;
  klee_make_symbolic(&x, sizeof x, "x");
  u37 a = (u37)x;
  s23 b = (s23)x;
  u100 c = (u100)x << 36;
  klee_assert((unsigned long)a == (x & 0x1fffffffff));
  klee_assert(b >= -4194304 && b <= 4194303);
  klee_assert((unsigned long)(c >> 36) == x);
  klee_assert((u37)(a + 1) == (u37)(x + 1));
  if (a == (u37)0x1234567890)
    return 1;
  if (b == -3 && c >> 99)
    return 2;
  return 0;
}
