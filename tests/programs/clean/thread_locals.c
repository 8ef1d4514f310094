// Thread-local variables behave as globals in a single thread.
//! exits: 0 1
#include <klee/klee.h>

static __thread int counter = 40;
_Thread_local int table[3];

__attribute__((noinline)) int *slot(int i) { return &table[i]; }

int main(void) {
  int i = klee_range(0, 3, "i");
  counter += i;
  *slot(i) = counter;
  if (table[0] + table[1] + table[2] != counter)
    return 2;
  if (table[2] == 42)
    return 1;
  return 0;
}
