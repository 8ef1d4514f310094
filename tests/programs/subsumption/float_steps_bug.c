// Floating point in the state: three steps of a tenth are more than three tenths.
//! exits: 0
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  volatile double sum = 0.0;
  for (int i = 0; i < 5; i++) {
    if (sum < 0.3 && __VERIFIER_nondet_bool())
      sum += 0.1;
  }
  assert(sum <= 0.3); //~ BUG assertion
  return 0;
}
