// Hexadecimal digits in both cases.
//! exits: 0 1 2
#include <klee/klee.h>

static int digit(unsigned char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

int main(void) {
  unsigned char s[2];
  klee_make_symbolic(s, sizeof s, "s");
  int high = digit(s[0]), low = digit(s[1]);
  if (high < 0 || low < 0)
    return 0;
  if (high * 16 + low == 0xc4)
    return 2;
  return 1;
}
