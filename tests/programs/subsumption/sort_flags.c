// Sorting flags by exchanging neighbours: many rows come to the same.
//! exits: 0
//! complete: yes
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int row[4], ones = 0;
  for (int i = 0; i < 4; i++) {
    row[i] = __VERIFIER_nondet_bool() ? 1 : 0;
    ones += row[i];
  }
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 0; i < 3; i++) {
      if (row[i] > row[i + 1]) {
        row[i] = 0;
        row[i + 1] = 1;
      }
    }
  }
  for (int i = 0; i < 4; i++)
    assert(row[i] == (i >= 4 - ones));
  return 0;
}
