// From double to float and back: some values survive, others don't.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  double d;
  klee_make_symbolic(&d, sizeof d, "d");
  if (d != d)
    return 0;
  float f = (float)d;
  if ((double)f == d)
    return 1;
  return 2;
}
