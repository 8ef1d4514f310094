// The length of a copy comes from the input and may be larger than the target.
//! exits: 0
#include <klee/klee.h>
#include <string.h>

char source[16];
char target[8];

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n > 10)
    return 0;
  memcpy(target, source, n); //~ BUG out-of-bounds-write
  return 0;
}
