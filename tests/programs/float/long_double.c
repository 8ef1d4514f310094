// Arithmetic on long double, on values that do not depend on the input.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>

int main(void) {
  volatile long double third = 1.0L / 3.0L;
  volatile long double one = third * 3.0L;
  long double difference = one - 1.0L;
  if (difference > 1e-18L || difference < -1e-18L)
    return 9;
  if (sizeof(long double) != 16 || (double)third != 1.0 / 3.0)
    return 8;
  if (klee_int("x") == (int)(third * 30.0L + 0.5L))
    return 1;
  return 0;
}
