// Adding numbers of three limbs agrees with the 128-bit type.
//! exits: 0
#include <klee/klee.h>

int main(void) {
  unsigned a[3], b[3], r[3];
  klee_make_symbolic(a, sizeof a, "a");
  klee_make_symbolic(b, sizeof b, "b");
  unsigned long carry = 0;
  for (int i = 0; i < 3; i++) {
    unsigned long t = (unsigned long)a[i] + b[i] + carry;
    r[i] = (unsigned)t;
    carry = t >> 32;
  }
  unsigned __int128 x = 0, y = 0, z = carry;
  for (int i = 2; i >= 0; i--) {
    x = x << 32 | a[i];
    y = y << 32 | b[i];
    z = z << 32 | r[i];
  }
  klee_assert(x + y == z);
  return 0;
}
