// Sorting flags by exchanging neighbours, with one pass too few.
//! exits: 0
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  volatile int row[4];
  for (int i = 0; i < 4; i++)
    row[i] = __VERIFIER_nondet_bool() ? 1 : 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < 3; i++) {
      if (row[i] > row[i + 1]) {
        row[i] = 0;
        row[i + 1] = 1;
      }
    }
  }
  for (int i = 0; i < 3; i++) {
    int left = row[i], right = row[i + 1];
    assert(left <= right); //~ BUG assertion
  }
  return 0;
}
