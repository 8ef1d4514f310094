// Searching bytes, zeros included.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  unsigned char *at = memchr(s, 0xee, sizeof s);
  if (!at)
    return 0;
  return (int)(at - s) + 1;
}
