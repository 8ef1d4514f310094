// Diamonds whose conditions depend on later ones: each compares a value with the next, so that no condition is independent.
// A rise and a fall cannot both be at the same place, so together they are at most N - 1; and after a rise the last value
// is not 0.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DN=7
#include "verifier.h"

#ifndef N
#define N 30
#endif

int main(void) {
  unsigned char value[N];
  for (int i = 0; i < N; i++)
    value[i] = __VERIFIER_nondet_uchar();
  int rises = 0, falls = 0, rose = 0;
  for (int i = 0; i + 1 < N; i++) {
    rose = 0;
    if (value[i] < value[i + 1]) {
      rises++;
      rose = 1;
    } else if (value[i] > value[i + 1]) {
      falls++;
    }
  }
  assert(rises + falls <= N - 1);
#ifdef BUG
  rose = rises > 0;
#endif
  if (rose)
    assert(value[N - 1] != 0); //~ BUG assertion
  return 0;
}
