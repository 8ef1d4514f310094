// A shift by the width of the type or more.
//! args: --check overflow
//! exits: 0
#include <klee/klee.h>

volatile unsigned mask;

int main(void) {
  unsigned char bits;
  klee_make_symbolic(&bits, sizeof bits, "bits");
  if (bits > 32)
    return 0;
  mask = 1u << bits; //~ BUG shift-out-of-range
  return 0;
}
