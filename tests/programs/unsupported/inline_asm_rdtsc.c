// Reading the time-stamp counter.
//! exits: 1
//! unsupported: rdtsc
#include <klee/klee.h>

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c < 10) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return low == high ? 3 : 2;
  }
  return 1;
}
