// The length of a symbolic string.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, 3, "s");
  s[3] = 0;
  return (int)strlen(s);
}
