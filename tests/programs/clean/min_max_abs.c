// Minimum, maximum and absolute value, which become intrinsics.
//! exits: 0
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  short a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  int low = a < b ? a : b;
  int high = a > b ? a : b;
  assert(low + high == a + b);
  assert(high - low == abs(a - b));
  unsigned ua = (unsigned short)a, ub = (unsigned short)b;
  unsigned ulow = ua < ub ? ua : ub;
  assert(ulow <= ua && ulow <= ub);
  assert(labs((long)a) >= 0);
  return 0;
}
