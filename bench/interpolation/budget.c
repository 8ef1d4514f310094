// A sum that is bounded only because of an assumption at the start: each step adds at most the price, which was assumed
// to be at most 10.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DN=8
#include "verifier.h"

#ifndef N
#define N 50
#endif

#ifdef BUG
#define DEAREST 11
#else
#define DEAREST 10
#endif

int main(void) {
  unsigned price = __VERIFIER_nondet_uint();
  __VERIFIER_assume(price <= DEAREST);
  unsigned spent = 0, refunds = 0;
  for (int i = 0; i < N; i++) {
    if (flag()) {
      spent += price;
    } else if (spent >= price && refunds < 3) {
      spent -= price;
      refunds++;
    }
  }
  assert(spent <= 10 * N); //~ BUG assertion
  return 0;
}
