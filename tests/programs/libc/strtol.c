// A number in base 16 and where it ends.
//! exits: 0 1 2
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  s[2] = 0;
  char *end;
  long n = strtol(s, &end, 16);
  if (end == s) {
    klee_assert(n == 0);
    return 0;
  }
  if (n == 0xf7)
    return 2;
  return 1;
}
