// A symbolic index picks a function from a table.
//! exits-some: 0 1 2 3 4
#include <klee/klee.h>

static int zero(int x) { return x == 100 ? 1 : 0; }
static int one(int x) { return x < 0 ? 2 : 0; }
static int two(int x) { return x > 1000 ? 3 : 0; }

static int (*table[])(int) = {zero, one, two};

int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  int x = klee_int("x");
  if (i >= 3)
    return 4;
  return table[i](x);
}
