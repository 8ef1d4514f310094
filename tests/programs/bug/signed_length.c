// A negative length passes a signed check and becomes a huge unsigned one after a mask.
//! exits: 0 1
#include <klee/klee.h>
#include <string.h>

char target[16];
char source[64];

int main(void) {
  signed char n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n > 16)
    return 1;
  size_t length = (size_t)n & 0x13;
  memcpy(target, source, length); //~ BUG out-of-bounds-write
  return 0;
}
