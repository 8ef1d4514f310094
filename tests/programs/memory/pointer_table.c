// A symbolic index picks a pointer from a table: one path per object.
//! exits: 0 1 2 3
#include <klee/klee.h>

static int a = 1, b = 2, c = 3;
static int *const table[] = {&a, &b, &c};

int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 3)
    return 0;
  *table[i] += 10;
  if (a == 11)
    return 1;
  if (b == 12)
    return 2;
  return c == 13 ? 3 : 9;
}
