// A symbolic permutation is applied twice.
//! exits: 0
#include <klee/klee.h>

int main(void) {
  unsigned char i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  int a[6] = {0, 1, 2, 3, 4, 5};
  i %= 6;
  j %= 6;
  for (int k = 0; k < 2; k++) {
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
  int wrong = 0;
  for (int k = 0; k < 6; k++)
    wrong |= a[k] ^ k;
  klee_assert(!wrong);
  return 0;
}
