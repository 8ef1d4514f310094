// Assembler that is not known ends the path; other paths go on.
//! exits: 0
//! unsupported: rdrand
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 3) {
    unsigned long chance;
    __asm__ volatile("rdrand %0" : "=r"(chance) : : "cc");
    return chance == 0;
  }
  return 0;
}
