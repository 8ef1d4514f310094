// A loop with a bound that is data, and nothing else.
//! exits: 0
//! paths[O0]: 31
//! complete: yes
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar(), i = 0;
  __VERIFIER_assume(n <= 30);
  while (i < n)
    i++;
  assert(i == n);
  return 0;
}
