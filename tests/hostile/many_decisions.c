#include "klee/klee.h"

/* A path that never ends and is made of decisions about ever larger expressions. */
int main(void) {
  unsigned char c;
  unsigned d, h;
  klee_make_symbolic(&c, sizeof c, "c");
  klee_make_symbolic(&d, sizeof d, "d");
  h = d;
  for (unsigned count = 0;; h = (h ^ c) * 16777619u + (h >> 7))
    if (h % 7 == 3) count++;
}
