// A string of up to five characters is copied to a buffer for four.
//! exits: 0
#include <klee/klee.h>
#include <string.h>

char target[4];

int main(void) {
  char s[6];
  klee_make_symbolic(s, sizeof s, "s");
  s[5] = 0;
  char *volatile t = target;
  strcpy(t, s); //~ BUG out-of-bounds-write
  return 0;
}
