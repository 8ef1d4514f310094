// Changing case and back.
//! exits: 0 1
#include <ctype.h>
#include <klee/klee.h>

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  if (c < 'a' || c > 'z')
    return 0;
  int up = toupper(c);
  klee_assert(up == c - 32);
  klee_assert(tolower(up) == c);
  if (up == 'Q')
    return 1;
  return 0;
}
