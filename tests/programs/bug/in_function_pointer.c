// The bug is in one of the functions that a table of pointers offers.
//! exits-some: 0 1 2
#include <assert.h>
#include <klee/klee.h>

volatile int seven = 7;

int add(int x) { return x == 4 ? 1 : 0; }
int get(int x) { return x == 5 ? 2 : 0; }
int bad(int x) {
  assert(x != seven); //~ BUG assertion
  return 0;
}

int (*const table[])(int) = {add, get, bad};

int main(void) {
  unsigned char op, x;
  klee_make_symbolic(&op, sizeof op, "op");
  klee_make_symbolic(&x, sizeof x, "x");
  if (op >= sizeof table / sizeof *table)
    return 0;
  return table[op](x);
}
