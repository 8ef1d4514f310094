// Comparing blocks of memory.
//! exits: 0 1 2
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char a[4];
  klee_make_symbolic(a, sizeof a, "a");
  int order = memcmp(a, "\x01\xff\x00\x7f", 4);
  if (order == 0) {
    klee_assert(a[1] == 255 && a[3] == 127);
    return 1;
  }
  if (order < 0)
    return 2;
  return 0;
}
