// The inverse of a matrix divides by a determinant that may be zero.
//! exits: 0
#include <klee/klee.h>

volatile int inverse;

int main(void) {
  signed char m[2][2];
  klee_make_symbolic(m, sizeof m, "m");
  klee_assume(m[0][0] == 2);
  klee_assume(m[1][1] == 3);
  volatile int determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  inverse = 60 / determinant; //~ BUG division-by-zero
  return 0;
}
