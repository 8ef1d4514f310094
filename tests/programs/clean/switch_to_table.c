// Optimised, this switch becomes a look-up in a table.
//! exits: 0 3 7 9 12 31 40
#include <klee/klee.h>

__attribute__((noinline)) int value(unsigned x) {
  switch (x) {
  case 0:
    return 7;
  case 1:
    return 31;
  case 2:
    return 12;
  case 3:
    return 9;
  case 4:
    return 3;
  case 5:
    return 40;
  default:
    return 0;
  }
}

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (value(x)) {
  case 7:
    return 7;
  case 31:
    return 31;
  case 12:
    return 12;
  case 9:
    return 9;
  case 3:
    return 3;
  case 40:
    return 40;
  }
  return 0;
}
