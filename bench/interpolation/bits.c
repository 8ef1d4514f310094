// Bit tricks: a set of small numbers as a word; members are added, the lowest is taken out, and a separate count must agree.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DN=4
#include "verifier.h"

#ifndef N
#define N 12
#endif

static int population(unsigned word) {
  word = word - ((word >> 1) & 0x55555555u);
  word = (word & 0x33333333u) + ((word >> 2) & 0x33333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0fu;
  return (int)((word * 0x01010101u) >> 24);
}

int main(void) {
  unsigned set = 0;
  int count = 0;
  for (int i = 0; i < N; i++) {
    unsigned member = 1u << (i & 7);
    switch (below_or(2)) {
    case 0:
#ifdef BUG
      count++;
#else
      if (!(set & member))
        count++;
#endif
      set |= member;
      break;
    case 1:
      if (set)
        count--;
      set &= set - 1;
      break;
    default:
      set = (set << 2 | set >> 6) & 0xffu;
    }
    assert((set & ~0xffu) == 0);
  }
  assert(count == population(set)); //~ BUG assertion
  assert((set & -set) == (set & (~set + 1)));
  return 0;
}
