// malloc, calloc, realloc, free and aligned allocation.
//! exits: 0 1
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned char *p = malloc(3);
  p[0] = x;
  p[2] = 7;
  p = realloc(p, 300);
  klee_assert(p[0] == x && p[2] == 7);
  p[299] = x;
  p = realloc(p, 1);
  int hit = p[0] == 0x3c;
  free(p);
  int *c = calloc(5, sizeof *c);
  for (int i = 0; i < 5; i++)
    klee_assert(c[i] == 0);
  free(c);
  void *a = aligned_alloc(64, 128);
  klee_assert(((uintptr_t)a & 63) == 0);
  free(a);
  free(NULL);
  p = realloc(NULL, 4);
  p[3] = 1;
  free(p);
  if (hit)
    return 1;
  return 0;
}
