// An expression of a hundred thousand operations, and a question about it.
#include <klee/klee.h>
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned y = x;
  for (int i = 0; i < 100000; i++) y = (y << 5 ^ y >> 2) + x * (unsigned)i;
  return y == 42;
}
