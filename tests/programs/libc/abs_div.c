// abs, div and ldiv.
//! exits: 0 1
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  short x;
  klee_make_symbolic(&x, sizeof x, "x");
  div_t d = div(x, 10);
  klee_assert(d.quot * 10 + d.rem == x);
  klee_assert(abs(d.rem) < 10);
  ldiv_t l = ldiv(x, -4);
  klee_assert(l.quot * -4 + l.rem == x);
  if (d.quot == 123 && d.rem == 4)
    return 1;
  return 0;
}
