// Two paths with the same values, but a pointer to another variable: the state is not the same where it is written through.
//! exits: 0
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  volatile int a = 0, b = 0;
  volatile int *where = &a;
  if (__VERIFIER_nondet_bool())
    where = &b;
  for (int i = 0; i < 2; i++) {
    if (__VERIFIER_nondet_bool())
      *where += 1;
  }
  assert(b < 2); //~ BUG assertion
  return 0;
}
