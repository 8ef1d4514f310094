// A variable-length array is one element too short.
//! exits: 0
#include <klee/klee.h>

__attribute__((noinline, optnone)) int fill(int n) {
  volatile char a[n];
  for (int i = 0; i < 4; i++)
    a[i] = (char)i; //~ BUG out-of-bounds-write
  return a[0];
}

int main(void) {
  int wide = klee_int("wide");
  if (wide)
    return fill(4);
  return fill(3);
}
