// Ifs in a row that count: only the path that takes all of them fails.
//! exits: 0
//! paths[O0]: 64
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  volatile int count = 0;
  for (int i = 0; i < 6; i++) {
    if (__VERIFIER_nondet_bool())
      count++;
  }
  assert(count < 6); //~ BUG assertion
  return 0;
}
