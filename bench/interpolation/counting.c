// Loops with a bound that is data, and nothing else. The bound can be four thousand million, so only an invariant ends them.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! endless: yes
//! small: -DWORD=char
#include "verifier.h"

#ifndef WORD
#define WORD int
#endif

int main(void) {
  unsigned WORD n = (unsigned WORD)__VERIFIER_nondet_uint(), i = 0;
  while (i < n)
    i++;
  assert(i == n);

  unsigned WORD step = (unsigned WORD)__VERIFIER_nondet_uint(), left = (unsigned WORD)__VERIFIER_nondet_uint();
  __VERIFIER_assume(step > 0);
#ifdef BUG
  while (left > step)
    left -= step;
#else
  while (left >= step)
    left -= step;
#endif
  assert(left < step); //~ BUG assertion
  return 0;
}
