// Empty assembler statements: a barrier, and an operand that passes through.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  __asm__ volatile("" ::: "memory");
  __asm__("" : "+r"(x));
  int y = x + 1;
  __asm__ volatile("" : : "r"(y) : "memory");
  if (y == 100)
    return 1;
  return 0;
}
