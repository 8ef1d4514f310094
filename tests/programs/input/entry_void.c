// A function without a result that keeps its state in a global variable.
//! args: --entry record
//! exits: 0
#include <assert.h>

static int largest = 100;

void record(short value) {
  if (value > largest)
    largest = value;
  assert(largest >= 100);
  assert(largest != 12345); //~ BUG assertion
}
