// Well-known tricks with bits do what they promise.
//! exits: 0
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assert(((x & (x - 1)) == 0) == (x == 0 || __builtin_popcount(x) == 1));
  klee_assert((x & -x) == (x ^ (x & (x - 1))));
  int s = (int)x;
  int sign = s >> 31;
  klee_assert((unsigned)((s ^ sign) - sign) == (s < 0 ? -x : x));
  unsigned v = x;
  v = v - (v >> 1 & 0x55555555);
  v = (v & 0x33333333) + (v >> 2 & 0x33333333);
  v = (v + (v >> 4)) & 0x0f0f0f0f;
  klee_assert(v * 0x01010101 >> 24 == (unsigned)__builtin_popcount(x));
  return 0;
}
