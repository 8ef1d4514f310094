// A function under test takes floating-point numbers.
//! args: --entry grade
//! exits: 0
#include <stdlib.h>

volatile int hits;

int grade(float x, double y) {
  if (x > 1.5f && x < 1.6f) {
    if (y == -3.0)
      abort(); //~ BUG abort
    hits++;
  }
  return 0;
}
