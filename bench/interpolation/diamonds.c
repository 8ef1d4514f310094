// N ifs in a row that count. There are 2^N paths, but only the count matters.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DN=10
#include "verifier.h"

#ifndef N
#define N 100
#endif

#ifdef BUG
#define MOST (N - 1)
#else
#define MOST N
#endif

int main(void) {
  int count = 0;
  for (int i = 0; i < N; i++) {
    if (flag())
      count++;
  }
  assert(count <= MOST); //~ BUG assertion
  return 0;
}
