// Several variables change places in every round; optimised, these are phis that depend on each other.
//! exits: 0 1 2 3
#include <klee/klee.h>

int main(void) {
  unsigned char n, start;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&start, sizeof start, "start");
  if (n > 5)
    return 0;
  unsigned a = start, b = 10, c = 20, d = 30;
  for (unsigned i = 0; i < n; i++) {
    unsigned t = a;
    a = b;
    b = c;
    c = d;
    d = t;
  }
  if (a == 10)
    return 1;
  if (a == 20)
    return 2;
  if (a == 30)
    return 3;
  return 0;
}
