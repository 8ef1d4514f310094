// The distance between two objects, times an input, leads from one to the other.
//! exits: 3 7
//! paths: 2
//! complete: yes
#include <klee/klee.h>
#include <stdint.h>

volatile int a[2] = {3, 4};
volatile int b[2] = {7, 8};

int main(void) {
  uintptr_t x = (uintptr_t)klee_range(0, 2, "x");
  uintptr_t from = (uintptr_t)a, to = (uintptr_t)b;
  volatile int *p = (volatile int *)(from + (to - from) * x);
  return *p;
}
