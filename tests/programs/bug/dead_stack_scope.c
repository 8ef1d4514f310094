// The address of a variable of an inner block is used after the block.
// Clang marks the end of the block only when it optimises.
//! levels: O1 O2
//! exits: 0
#include <klee/klee.h>

volatile int *volatile kept;

__attribute__((noinline)) void show(volatile int *p) { kept = p; }

int main(void) {
  int mode = klee_int("mode");
  volatile int outer = 0;
  kept = &outer;
  {
    volatile int inner[4] = {1, 2, 3, 4};
    if (mode == 7)
      show(inner);
    inner[1] = 5;
  }
  {
    volatile int other[4] = {1, 2, 3, 4};
    other[mode & 3] = 5;
  }
  *kept = 1; //~ BUG dead-stack
  return 0;
}
