// A sum over an array of doubles.
//! exits: 0 1
//! paths[O0]: 4
#include <klee/klee.h>

int main(void) {
  double a[3];
  klee_make_symbolic(a, sizeof a, "a");
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    if (!(a[i] >= 1.0))
      return 0;
    sum += a[i];
  }
  klee_assert(sum >= 3.0);
  return 1;
}
