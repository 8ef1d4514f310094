// Whether the element that is read was written depends on the index: a bug on that side only.
// An optimising compiler takes what it likes for the undefined value.
//! args: --check uninit
//! levels: O0
//! exits: 0 1 2
#include <klee/klee.h>

volatile int hits;

int main(void) {
  unsigned char i, j;
  klee_make_symbolic(&i, 1, "i");
  klee_make_symbolic(&j, 1, "j");
  klee_assume(i < 8 && j < 8);
  int table[8];
  table[0] = 5;
  table[1] = 7;
  table[i] = 5;
  if (table[j] == 7) //~ BUG uninitialised
    return 1;
  if (j == i)
    return 2;
  return 0;
}
