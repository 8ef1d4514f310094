// Sorting three numbers: one path per order.
//! exits: 0
//! paths[O0]: 6
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a[3];
  klee_make_symbolic(a, sizeof a, "a");
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j + 1 < 3 - i; j++) {
      if (a[j] > a[j + 1]) {
        unsigned char t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
    }
  }
  klee_assert((a[0] <= a[1]) & (a[1] <= a[2]));
  return 0;
}
