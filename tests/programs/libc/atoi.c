// A number of one digit and a sign.
//! exits: 0 1 2
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  s[2] = 0;
  int n = atoi(s);
  klee_assert(n >= -9 && n <= 99);
  if (n == -8)
    return 1;
  if (n == 64)
    return 2;
  return 0;
}
