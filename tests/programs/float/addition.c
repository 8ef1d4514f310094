// A sum of two floats; equal to an integer sum for small integers.
//! exits: 0 1
#include <klee/klee.h>

int main(void) {
  signed char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  float x = a, y = b;
  klee_assert((int)(x + y) == a + b);
  klee_assert((int)(x - y) == a - b);
  if (x + y == 100.0f)
    return 1;
  return 0;
}
