// The remainder by a symbolic 64-bit divisor.
//! exits: 0 1
//! paths[O0]: 3
#include <klee/klee.h>

int main(void) {
  unsigned short a;
  unsigned long b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(b < 5);
  volatile unsigned long r = 7 % b; //~ BUG division-by-zero
  if (r == a)
    return 1;
  return 0;
}
