// A counter of 64 bits overflows when it is incremented.
//! args: --check overflow
//! exits: 0
#include <klee/klee.h>

volatile long counter;

int main(void) {
  long start;
  klee_make_symbolic(&start, sizeof start, "start");
  if (start < 10)
    return 0;
  counter = start;
  counter++; //~ BUG signed-overflow
  return 0;
}
