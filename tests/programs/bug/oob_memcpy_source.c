// The length of a copy may be larger than the source.
//! exits: 0
#include <klee/klee.h>
#include <string.h>

char source[4] = "abc";
char target[32];

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n > 7)
    return 0;
  memmove(target, source, n); //~ BUG out-of-bounds-read
  return 0;
}
