// A pointer is null or not, as the input says; only in the first case is what comes before it out of bounds of everything. An optimiser takes it
// that it is not null.
//! levels: O0
//! exits: 7
#include <klee/klee.h>

int values[2] = {7, 8};

int main(void) {
  int *volatile p = values + 1;
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  int *q = c ? p : 0;
  return q[-1]; //~ BUG null-pointer
}
