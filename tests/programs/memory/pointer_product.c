// An address times an input is that address if the input is 1, and whatever lies at the product otherwise. A product that
// points to no object is a bug, and the objects that other products might point to are given up.
//! exits: 3
//! paths: 2
//! given-up: a pointer was computed in a way that hides some of the objects it may point to
#include <klee/klee.h>
#include <stdint.h>

volatile int a[2] = {3, 4};

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, 1, "x");
  // Natively, nothing is mapped at seven times the address.
  klee_assume((x == 1) | (x == 7));
  volatile int *p = (volatile int *)((uintptr_t)a * x);
  return *p; //~ BUG out-of-bounds-read
}
