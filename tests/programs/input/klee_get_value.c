// A value that the path fixes can be taken as a constant.
//! exits: 0 1
//! paths: 2
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x != 1234)
    return 0;
  int v = klee_get_value_i32(x + 1);
  klee_assert(v == 1235);
  long w = klee_get_valuel((long)x << 32);
  klee_assert(w == 1234l << 32);
  return 1;
}
