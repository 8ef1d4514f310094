// Words are written and bytes are read, across the borders of words.
//! exits-some: 0 1
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned char m[12] = {0};
  memcpy(m + 3, &x, 4);
  unsigned short middle;
  memcpy(&middle, m + 4, 2);
  klee_assert(middle == (x >> 8 & 0xffff));
  unsigned long wide;
  memcpy(&wide, m, 8);
  klee_assert(wide == (unsigned long)x << 24);
  return m[6] == 0xab;
}
