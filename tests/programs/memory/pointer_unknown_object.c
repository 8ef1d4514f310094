// A pointer whose upper bits depend on the input may point to any object, and not only to the one that it was computed
// from. A value that points to no object is a bug, and the objects that other values point to are given up.
//! exits: 3
//! paths: 2
//! given-up: a pointer was computed in a way that hides some of the objects it may point to
#include <klee/klee.h>
#include <stdint.h>

volatile int a[2] = {3, 4};

int main(void) {
  unsigned char key;
  klee_make_symbolic(&key, 1, "key");
  // Natively, nothing is mapped at a distance of 2^40 bytes.
  klee_assume(key < 2);
  uintptr_t bits = (uintptr_t)a ^ (uintptr_t)key << 40;
  volatile int *p = (volatile int *)bits;
  return *p; //~ BUG out-of-bounds-read
}
