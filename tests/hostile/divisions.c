#include "klee/klee.h"

/* Divisions of wide products: quick to build, slow to turn into a circuit, hopeless to decide. */
int main(void) {
  unsigned long a[24], h = 1;
  klee_make_symbolic(a, sizeof a, "a");
  for (int i = 0; i < 24; i++) h = h * a[i] / (a[(i * 7) % 24] | 1) + h % (a[(i * 5) % 24] | 3);
  if (h == 12345678901234567ul) return 1;
  return 0;
}
