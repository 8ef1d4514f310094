// What is not a number compares false with everything, itself included.
//! exits: 0 1
#include <klee/klee.h>

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == x)
    return 0;
  if (x < 1.0 || x > 1.0 || x <= 1.0 || x >= 1.0 || x == 1.0)
    return 2;
  if (!(x != 1.0) || !__builtin_isunordered(x, 1.0) || __builtin_islessgreater(x, 1.0))
    return 3;
  return 1;
}
