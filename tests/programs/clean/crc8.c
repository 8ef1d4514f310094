// A checksum bit by bit equals the one by table.
//! exits-some: 0 1
#include <klee/klee.h>

static unsigned char table[256];

static unsigned char step(unsigned char c) {
  for (int i = 0; i < 8; i++)
    c = (unsigned char)(c << 1 ^ (0x07 & -(c >> 7)));
  return c;
}

int main(void) {
  for (int i = 0; i < 256; i++)
    table[i] = step((unsigned char)i);
  unsigned char s[2];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned char slow = step(step(s[0]) ^ s[1]);
  unsigned char fast = table[table[s[0]] ^ s[1]];
  klee_assert(slow == fast);
  return fast == 0xa5;
}
