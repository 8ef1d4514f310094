// Nested loops over flags: the sum of the rows is what matters.
//! exits: 0
//! paths[O0]: 64
//! complete: yes
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int cells = 0, rows = 0;
  for (int row = 0; row < 2; row++) {
    int here = 0;
    for (int column = 0; column < 3; column++) {
      if (__VERIFIER_nondet_bool())
        here++;
    }
    cells += here;
    rows += here > 0;
  }
  assert(rows <= cells && cells <= 3 * rows);
  return 0;
}
