// The bug is in one of the functions that a table of pointers offers.
//! exits: 0 1 2
#include <assert.h>
#include <klee/klee.h>

volatile int seven = 7;

int add(int x) {
  if (x == 4)
    return 1;
  return 0;
}
int get(int x) {
  if (x == 5)
    return 2;
  return 0;
}
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
