// Assembler that is not empty ends the path; other paths go on.
//! exits: 0
//! unsupported: cpuid
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 3) {
    unsigned a = 0, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return (b | d) == 0;
  }
  return 0;
}
