// A megabyte of input, which is as much as there may be, compared with itself from both ends.
#include <klee/klee.h>
static char large[1 << 20];
int main(void) {
  unsigned equal = 0;
  klee_make_symbolic(large, sizeof large, "large");
  for (unsigned i = 0; i < sizeof large / 2; i++)
    if (large[i] == large[sizeof large - 1 - i]) equal++;
  return equal & 127;
}
