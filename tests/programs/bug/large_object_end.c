// The end of an object that takes many megabytes is as well known as that of any other.
//! exits: 0
#include <stdlib.h>
#include "klee/klee.h"

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  size_t size = 10 << 20;
  volatile char *heap = malloc(size);
  heap[size - 8 + (x & 15)] = 1; //~ BUG out-of-bounds-write
  return 0;
}
