// A chain of comparisons on one number.
//! exits: 0 1 2 3
//! paths: 4
//! branches: all
#include <klee/klee.h>

volatile int sink;

int main(void) {
  int x = klee_int("x");
  if (x < -10) {
    sink = 1;
    return 1;
  }
  if (x < 10) {
    sink = 2;
    return 2;
  }
  if (x == 500) {
    sink = 3;
    return 3;
  }
  return 0;
}
