// Memory at an address of the program's choice is not modelled.
//! unsupported: klee_define_fixed_object
//! exits: 0
#include <klee/klee.h>

int main(void) {
  if (klee_int("x") == 1)
    klee_define_fixed_object((void *)0x10000, 4096);
  return 0;
}
