// A block that was written at one symbolic index is copied: what was not written is still known in the copy.
// An optimising compiler takes what it likes for the undefined value.
//! args: --check uninit
//! levels: O0
//! exits: 0
#include <klee/klee.h>
#include <string.h>

volatile int hits;

int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, 1, "i");
  klee_assume(i < 4);
  char text[4], copy[4];
  text[i] = 'x';
  memcpy(copy, text, 4);
  if (copy[2] == 'x') //~ BUG uninitialised
    hits++;
  return 0;
}
