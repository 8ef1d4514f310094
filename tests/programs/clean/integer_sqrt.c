// The integer square root by binary digits.
//! exits: 0
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned root = 0;
  for (unsigned bit = 8; bit; bit >>= 1)
    if ((root + bit) * (root + bit) <= x)
      root += bit;
  klee_assert(root * root <= x);
  klee_assert((root + 1) * (root + 1) > x);
  return 0;
}
