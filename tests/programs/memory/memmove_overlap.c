// memmove with overlap in both directions.
//! exits: 0 1
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char a[6], b[6];
  klee_make_symbolic(a, sizeof a, "a");
  memcpy(b, a, sizeof b);
  memmove(b + 2, b, 4);
  for (int i = 0; i < 4; i++)
    klee_assert(b[i + 2] == a[i]);
  memcpy(b, a, sizeof b);
  memmove(b, b + 1, 5);
  for (int i = 0; i < 5; i++)
    klee_assert(b[i] == a[i + 1]);
  return b[5] == 0x11 && b[4] == 0x11;
}
