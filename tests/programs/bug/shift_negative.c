// A shift by a negative amount.
//! args: --check overflow
//! exits: 0
#include <klee/klee.h>

volatile long word = 1;

int main(void) {
  int by = klee_range(-1, 3, "by");
  word = word >> by; //~ BUG shift-out-of-range
  return 0;
}
