// Nested loops over flags: a count that is not set back for each row.
//! exits: 0
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  volatile int cells = 0, here = 0;
  for (int row = 0; row < 2; row++) {
    for (int column = 0; column < 3; column++) {
      if (__VERIFIER_nondet_bool())
        here++;
    }
    cells += here;
  }
  assert(cells <= 6); //~ BUG assertion
  return 0;
}
