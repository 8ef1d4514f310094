// Static variables in functions keep their values from call to call.
//! exits: 0 1 2 3
#include <klee/klee.h>

static int next(int step) {
  static int value = 10;
  static int calls;
  value += step;
  calls++;
  return value * 10 + calls;
}

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int a = next(x), b = next(x);
  klee_assert(b - a == x * 10 + 1);
  if (b == 102)
    return 1;
  if (a < 0)
    return 2;
  if (b > 500)
    return 3;
  return 0;
}
