// Only the first characters count.
//! exits: 0 1
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[6];
  klee_make_symbolic(s, sizeof s, "s");
  s[5] = 0;
  if (strncmp(s, "GET ", 4) == 0) {
    klee_assert(s[3] == ' ');
    return 1;
  }
  return 0;
}
