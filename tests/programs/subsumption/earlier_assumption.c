// A sum that is bounded only because of an assumption at the start.
//! exits: 0
//! paths[O0]: 32
//! complete: yes
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int main(void) {
  unsigned price = __VERIFIER_nondet_uint(), spent = 0;
  __VERIFIER_assume(price <= 10);
  for (int i = 0; i < 5; i++) {
    if (__VERIFIER_nondet_bool())
      spent += price;
  }
  assert(spent <= 50);
  return 0;
}
