// Arithmetic on 128 bits: add, subtract, multiply, shift and compare.
//! exits: 0
#include <assert.h>
#include <klee/klee.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

int main(void) {
  unsigned long lo;
  unsigned hi;
  klee_make_symbolic(&lo, sizeof lo, "lo");
  klee_make_symbolic(&hi, sizeof hi, "hi");
  u128 x = (u128)hi << 64 | lo;
  assert((unsigned long)x == lo);
  assert((unsigned long)(x >> 64) == hi);
  assert(x + 1 > x);
  assert(x - lo == (u128)hi << 64);
  assert(x * 2 == x + x);
  i128 s = -(i128)x;
  assert((s < 0) == (x != 0));
  assert((s >> 127) == (x != 0 ? -1 : 0));
  return 0;
}
