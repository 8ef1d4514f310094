// The default of a switch is said to be unreachable, which is wrong for one value.
// An optimising compiler removes the default and with it the bug.
//! levels: O0
//! exits: 0 1 2
//! paths: 4
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x % 4) {
  case 0:
    return 0;
  case 1:
    return 1;
  case 2:
    return 2;
  default:
    __builtin_unreachable(); //~ BUG unreachable
  }
}
