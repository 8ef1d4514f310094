// A pointer is set only if the input is even.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>

volatile int slot;
volatile int *volatile p;

int main(void) {
  if (klee_int("x") % 2 == 0)
    p = &slot;
  *p = 1; //~ BUG null-pointer
  return 0;
}
