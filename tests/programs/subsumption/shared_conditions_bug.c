// As in shared_conditions.c, but the assertion forgets that a value may fall and rise again.
//! exits: 0 1
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char first = __VERIFIER_nondet_uchar(), before = first;
  volatile int rises = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char now = __VERIFIER_nondet_uchar();
    if (now > before)
      rises++;
    before = now;
  }
  if (rises == 2) {
    assert(before > first); //~ BUG assertion
    return 1;
  }
  return 0;
}
