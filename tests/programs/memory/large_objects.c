// Objects of many megabytes, as global variables and on the heap, take no more memory than what is in them.
//! exits-some: 0 1
#include <stdlib.h>
#include <string.h>
#include "klee/klee.h"

static char global[9 << 20], next_to_it[3];

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  size_t size = 100 << 20;
  char *heap = malloc(size), *copy = malloc(size);
  global[sizeof global - 1] = x;
  next_to_it[0] = 1;
  memset(heap, 3, size);
  heap[size - 1] = x;
  heap[50 << 20] = 4;
  memcpy(copy, heap, size);
  if (copy[50 << 20] != 4 || copy[5 << 20] != 3 || copy[0] != 3) return 3;
  if (copy[size - 1] != global[sizeof global - 1] || global[5 << 20] != 0 || next_to_it[0] != 1) return 2;
  free(heap);
  free(copy);
  return x == 42;
}
