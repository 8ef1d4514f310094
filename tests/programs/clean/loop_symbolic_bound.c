// The bound of the loop is input: one path per number of rounds.
//! exits: 0 1 3 6 10
//! paths[O0]: 6
#include <klee/klee.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n > 4)
    n = 4;
  volatile int sum = 0;
  for (volatile int i = 1; i <= n; i++)
    sum += i;
  return sum;
}
