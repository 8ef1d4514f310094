// Walks over an array whose ends depend on data: a length that is input, and a mark that may come earlier.
//! verdict: VERIFIED
//! verdict[BUG]: BUG out-of-bounds-read
//! small: -DSIZE=5
#include "verifier.h"

#ifndef SIZE
#define SIZE 40
#endif

int main(void) {
  unsigned char data[SIZE];
  for (int i = 0; i < SIZE; i++)
    data[i] = (unsigned char)below_or(3);
  unsigned length = __VERIFIER_nondet_uint();
#ifdef BUG
  __VERIFIER_assume(length <= SIZE + 1);
#else
  __VERIFIER_assume(length <= SIZE);
#endif
  unsigned seen = 0, twos = 0, at = 0;
  while (at < length && data[at] != 0) { //~ BUG out-of-bounds-read
    seen++;
    if (data[at] == 2)
      twos++;
    at++;
  }
  assert(seen <= length);
  assert(twos <= seen);
  while (at > 0) {
    at--;
    if (data[at] == 2)
      twos--;
  }
  assert(twos == 0);
  return 0;
}
