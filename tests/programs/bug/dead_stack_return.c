// The address of a local variable outlives its function.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>

volatile int *volatile kept;
volatile int lasting;

__attribute__((noinline, optnone)) void keep(int mode) {
  volatile int local = 3;
  if (mode == 1)
    kept = &local;
  else
    kept = &lasting;
}

int main(void) {
  keep(klee_int("mode"));
  int v = *kept; //~ BUG dead-stack
  return v == 4;
}
