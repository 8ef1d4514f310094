// Another checksum, with remainders.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>

int main(void) {
  unsigned char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned a = 1, b = 0;
  for (int i = 0; i < 3; i++) {
    a = (a + s[i]) % 251;
    b = (b + a) % 251;
  }
  if ((b << 8 | a) == 0x2c0f)
    return 1;
  return 0;
}
