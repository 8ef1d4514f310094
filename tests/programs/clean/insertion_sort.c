// Insertion sort of four 16-bit numbers, and a proof that none is lost.
//! exits: 0
#include <klee/klee.h>

int main(void) {
  short a[4];
  klee_make_symbolic(a, sizeof a, "a");
  int sum = a[0] + a[1] + a[2] + a[3];
  for (int i = 1; i < 4; i++) {
    short key = a[i];
    int j = i;
    while (j > 0 && a[j - 1] > key) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = key;
  }
  if (a[0] > a[1] || a[1] > a[2] || a[2] > a[3])
    return 1;
  return sum == a[0] + a[1] + a[2] + a[3] ? 0 : 2;
}
