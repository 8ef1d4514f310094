// One expression that grows for ever.
#include <klee/klee.h>
int main(void) {
  unsigned x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  for (;;) x = x * 3 + (y ^ x >> 3);
}
