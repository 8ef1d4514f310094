// Bit-fields share bytes: to set one reads and writes the others, and that is no use of their values.
//! args: --check uninit
//! levels: O0 O1
//! exits: 0 1
//! complete: yes
#include <klee/klee.h>

struct flags {
  unsigned first : 1;
  unsigned second : 2;
  signed third : 3;
  unsigned long long wide : 37;
  unsigned last : 11;
};

int main(void) {
  struct flags f, copy;
  int x = klee_int("x");
  f.second = 2;
  f.third = -2;
  f.last = x;
  f.wide = 1ULL << 36;
  copy = f;
  if (copy.second != 2 || copy.third != -2 || copy.wide >> 36 != 1)
    return 2;
  if (copy.last == 5)
    return 1;
  return 0;
}
