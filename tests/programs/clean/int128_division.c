// Division of 128 bits with a constant divisor and one concrete division by a wide divisor.
//! exits: 0 1
#include <klee/klee.h>

typedef unsigned __int128 u128;

int main(void) {
  unsigned short x;
  klee_make_symbolic(&x, sizeof x, "x");
  u128 wide = (u128)x << 70;
  u128 q = wide / ((u128)1 << 68);
  if (q != (u128)x * 4)
    return 2;
  volatile unsigned long big = 0xfedcba9876543210;
  u128 n = (u128)big * 12345678901234567ul + 1234;
  if (n / big != 12345678901234567ul || n % big != 1234)
    return 3;
  if (wide % 1024 == 0 && x > 5)
    return 1;
  return 0;
}
