// A sum whose bound does not follow from the assumption: the product wraps around.
//! exits: 0
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int main(void) {
  unsigned price = __VERIFIER_nondet_uint();
  volatile unsigned spent = 0;
  __VERIFIER_assume(price <= 0x40000000u);
  for (int i = 0; i < 4; i++) {
    unsigned before = spent;
    if (__VERIFIER_nondet_bool())
      spent = before + price;
    assert(spent >= before); //~ BUG assertion
  }
  return 0;
}
