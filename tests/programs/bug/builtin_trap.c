// `__builtin_trap` ends the program as `abort` does.
//! exits: 0
//! paths: 2
#include <klee/klee.h>

int main(void) {
  if (klee_int("x") == 99)
    __builtin_trap(); //~ BUG abort
  return 0;
}
