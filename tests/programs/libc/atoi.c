// A number of one digit and a sign.
//! exits-some: 0 1 2
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  s[2] = 0;
  int n = atoi(s);
  klee_assert(n >= -9 && n <= 99);
  return n == -8 ? 1 : n == 64 ? 2 : 0;
}
