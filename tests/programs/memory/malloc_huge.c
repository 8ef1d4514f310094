// Allocations of more memory than there is fail, and the program goes on.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  volatile size_t huge = (size_t)1 << 60;
  void *volatile block;
  switch (klee_int("x")) {
  case 1:
    block = malloc(huge);
    return block == NULL ? 1 : 9;
  case 2:
    block = calloc(huge, 16);
    return block == NULL ? 2 : 9;
  case 3: {
    char *small = malloc(1);
    block = realloc(small, huge);
    if (block == NULL)
      free(small);
    return block == NULL ? 3 : 9;
  }
  }
  return 0;
}
