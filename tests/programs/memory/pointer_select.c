// A condition picks one of two objects; the write goes to the right one.
//! exits: 0 1
#include <klee/klee.h>

int main(void) {
  int a = 1, b = 2;
  int x = klee_int("x");
  int *p = x > 0 ? &a : &b;
  *p = 10;
  klee_assert(a + b == (x > 0 ? 12 : 11));
  return p == &a;
}
