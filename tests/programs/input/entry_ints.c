// A function under test takes integers of several widths.
//! args: --entry classify
//! exits: 0
#include <assert.h>

volatile int hits;

int classify(int a, unsigned char b, long c) {
  if (a > 10 && b == 7) {
    assert(c != 1000000007); //~ BUG assertion
    hits++;
  }
  return 0;
}
