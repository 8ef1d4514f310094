// Addresses have 47 bits, as on Linux, so that programs may put tags into the others.
//! exits-some: 0 1
#include <stdint.h>
#include <stdlib.h>
#include "klee/klee.h"

static int global = 7;

static int *tag(int *p, unsigned tag) { return (int *)((uintptr_t)p | (uintptr_t)tag << 48 | 1); }
static int *untag(int *p) { return (int *)((uintptr_t)p & 0xfffffffffffe); }

int main(void) {
  unsigned short t;
  klee_make_symbolic(&t, sizeof t, "t");
  int local = 8, *heap = malloc(sizeof *heap);
  *heap = 9;
  if ((uintptr_t)&global >> 47 || (uintptr_t)&local >> 47 || (uintptr_t)heap >> 47 || (uintptr_t)main >> 47) return 2;
  int *a = tag(&global, t), *b = tag(&local, t), *c = tag(heap, t);
  if (*untag(a) + *untag(b) + *untag(c) != 24) return 3;
  free(heap);
  return (uintptr_t)a >> 48 == 0x1234;
}
