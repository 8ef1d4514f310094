// A symbolic index picks a function from a table.
//! exits: 0 1 2 3 4
#include <klee/klee.h>

static int zero(int x) {
  if (x == 100)
    return 1;
  return 0;
}
static int one(int x) {
  if (x < 0)
    return 2;
  return 0;
}
static int two(int x) {
  if (x > 1000)
    return 3;
  return 0;
}

static int (*table[])(int) = {zero, one, two};

int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  int x = klee_int("x");
  if (i >= 3)
    return 4;
  return table[i](x);
}
