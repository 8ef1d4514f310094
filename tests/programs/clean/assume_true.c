// A promise to the compiler that holds.
//! exits: 0 1
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 50)
    return 0;
  __builtin_assume(x < 51);
  unsigned y = __builtin_expect(x == 13, 0);
  if (x == 200)
    __builtin_unreachable();
  if (y)
    return 1;
  return 0;
}
