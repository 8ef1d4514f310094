// Insertion sort of input, then an assertion that it is sorted and that nothing was lost.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DN=4
#include "verifier.h"

#ifndef N
#define N 6
#endif

int main(void) {
  unsigned char value[N];
  unsigned before = 0, after = 0;
  for (int i = 0; i < N; i++) {
    value[i] = __VERIFIER_nondet_uchar();
    before += value[i];
  }
  for (int i = 1; i < N; i++) {
    unsigned char moving = value[i];
    int at = i;
#ifdef BUG
    while (at > 1 && value[at - 1] > moving) {
#else
    while (at > 0 && value[at - 1] > moving) {
#endif
      value[at] = value[at - 1];
      at--;
    }
    value[at] = moving;
  }
  for (int i = 0; i + 1 < N; i++)
    assert(value[i] <= value[i + 1]); //~ BUG assertion
  for (int i = 0; i < N; i++)
    after += value[i];
  assert(before == after);
  return 0;
}
