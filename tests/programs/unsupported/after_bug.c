// Paths that are unsupported do not hide bugs on others.
//! exits: 0
//! unsupported: rdrand
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x < 0)
    __asm__ volatile("rdrand %%rax" ::: "rax", "cc");
  assert(x != 31); //~ BUG assertion
  return 0;
}
