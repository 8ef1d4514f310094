// A product of two 64-bit numbers needs 128 bits.
//! exits: 0
//! paths[O0]: 2
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned long x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned __int128 p = (unsigned __int128)x << 40;
  assert((unsigned long)(p >> 64) != 0xabcdef); //~ BUG assertion
  return 0;
}
