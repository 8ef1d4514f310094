#include "klee/klee.h"

/* Millions of operations on a single byte, whose 256 values are quickly tried, one would think. */
int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  unsigned h = 1;
  for (int i = 0; i < 1000000; i++) h = (h ^ c) * 16777619u + (h >> 7);
  if (h == 12345) return 1;
  return 0;
}
