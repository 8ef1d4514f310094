// A mean is computed although nothing may have been counted.
//! exits: 0
//! paths[O0]: 4
#include <klee/klee.h>

int main(void) {
  signed char x[2];
  klee_make_symbolic(x, sizeof x, "x");
  volatile int sum = 0;
  volatile int count = 0;
  for (int i = 0; i < 2; i++) {
    if (x[i] > 0) {
      sum += x[i];
      count++;
    }
  }
  volatile int mean = sum / count; //~ BUG division-by-zero
  return mean == 0;
}
