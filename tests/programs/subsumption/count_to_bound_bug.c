// A loop that counts by two and misses an odd bound.
//! exits: 0
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(n <= 20);
  volatile unsigned i = 0;
  while (i < n)
    i += 2;
  assert(i == n); //~ BUG assertion
  return 0;
}
