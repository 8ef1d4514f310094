// A decoder trusts the length that the lead byte of a sequence states.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char *s = malloc(2);
  klee_make_symbolic(s, 2, "s");
  volatile unsigned char *p = s;
  int n = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : 3;
  unsigned code = p[0];
  for (int i = 1; i < n; i++)
    code = code << 6 | (p[i] & 0x3f); //~ BUG out-of-bounds-read
  free(s);
  return code == 0 ? 0 : code < 0x20 ? 1 : n == 1 ? 2 : 3;
}
