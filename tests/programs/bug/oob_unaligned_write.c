// Eight bytes are written at each offset of ten, in a global variable and on the stack.
//! exits: 0
#include <klee/klee.h>

char table[10];

__attribute__((noinline)) void put(char *at) {
  *(volatile long *)at = 7; //~ BUG out-of-bounds-write
}

__attribute__((noinline)) void put_double(char *at) {
  *(volatile double *)at = 7; //~ BUG out-of-bounds-write
}

int main(void) {
  int i = klee_range(0, 5, "i");
  char local[10];
  if (klee_range(0, 2, "where"))
    put(table + i);
  else
    put_double(local + i);
  return 0;
}
