// Sorting flags: exchanges neighbours until no 1 is before a 0. The order of a row has two values per place, so that many
// paths come to the same row.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DN=5
#include "verifier.h"

#ifndef N
#define N 10
#endif

#ifdef BUG
#define PASSES (N - 2)
#else
#define PASSES (N - 1)
#endif

int main(void) {
  int row[N];
  int ones = 0;
  for (int i = 0; i < N; i++) {
    if (flag()) {
      row[i] = 1;
      ones++;
    } else {
      row[i] = 0;
    }
  }
  for (int pass = 0; pass < PASSES; pass++) {
    for (int i = 0; i + 1 < N; i++) {
      if (row[i] > row[i + 1]) {
        row[i] = 0;
        row[i + 1] = 1;
      }
    }
  }
  for (int i = 0; i < N; i++)
    assert(row[i] == (i >= N - ones)); //~ BUG assertion
  return 0;
}
