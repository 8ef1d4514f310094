#include "klee/klee.h"

/* Millions of operations on a word and a byte. */
int main(void) {
  unsigned char c; unsigned d;
  klee_make_symbolic(&c, sizeof c, "c");
  klee_make_symbolic(&d, sizeof d, "d");
  unsigned h = d;
  for (int i = 0; i < 2000000; i++) h = (h ^ c) * 16777619u + (h >> 7);
  if (h == 12345) return 1;
  return 0;
}
