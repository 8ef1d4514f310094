// A decoder of UTF-8 for one character of up to three bytes.
//! exits: 0 1 2 3
#include <klee/klee.h>

int main(void) {
  unsigned char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned code;
  int n;
  if (s[0] < 0x80) {
    n = 1;
    code = s[0];
  } else if (s[0] >> 5 == 6) {
    n = 2;
    code = s[0] & 0x1f;
  } else if (s[0] >> 4 == 14) {
    n = 3;
    code = s[0] & 0x0f;
  } else {
    return 0;
  }
  for (int i = 1; i < n; i++) {
    if (s[i] >> 6 != 2)
      return 0;
    code = code << 6 | (s[i] & 0x3f);
  }
  static const unsigned least[] = {0, 0, 0x80, 0x800};
  if (code < least[n] || (code >= 0xd800 && code < 0xe000))
    return 0;
  klee_assert(code < 0x10000);
  return n;
}
