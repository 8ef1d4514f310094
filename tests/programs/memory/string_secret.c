// A secret that is scrambled in memory is found.
//! exits: 0 1
#include <klee/klee.h>

static const unsigned char secret[5] = {'k' ^ 0x55, 'e' ^ 0x55, 'y' ^ 0x55, '!' ^ 0x55, 0x55};

int main(void) {
  unsigned char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  for (int i = 0; i < 5; i++)
    if ((s[i] ^ 0x55) != secret[i])
      return 0;
  return 1;
}
