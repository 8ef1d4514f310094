// An access that begins in an object and ends behind it, at an address that is not aligned.
//! exits: 0 1
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned i = klee_range(0, 9, "i");
  char *volatile bytes = calloc(8, 1);
  if (i == 8)
    return 0;
  volatile int *word = (volatile int *)(bytes + i);
  int value = *word; //~ BUG out-of-bounds-read
  free(bytes);
  return value == 0;
}
