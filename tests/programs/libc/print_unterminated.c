// A string that may have no end is read beyond its buffer.
//! exits: 0
#include <stdio.h>
#include "klee/klee.h"

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  printf("%s\n", s); //~ BUG out-of-bounds-read
  return 0;
}
