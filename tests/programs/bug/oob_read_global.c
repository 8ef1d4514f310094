// A table in a global variable is read one entry too far.
//! exits: 2 3 5 7
#include <klee/klee.h>

int primes[4] = {2, 3, 5, 7};

int main(void) {
  int i = klee_range(0, 6, "i");
  volatile int *table = primes;
  int p = table[i]; //~ BUG out-of-bounds-read
  switch (p) {
  case 2:
    return 2;
  case 3:
    return 3;
  case 5:
    return 5;
  default:
    return 7;
  }
}
