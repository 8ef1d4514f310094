#include "klee/klee.h"

/* Two hundred multiplications of doubles make a circuit of gigabytes. */
int main(void) {
  double x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  for (int i = 0; i < 200; i++) x = x * 1.1 + y;
  if (x > 1000.0 && x < 1000.5) return 1;
  return 0;
}
