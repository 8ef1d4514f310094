// A histogram: symbolic indices write into the same array several times.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>

int main(void) {
  unsigned char s[4], count[4] = {0};
  klee_make_symbolic(s, sizeof s, "s");
  for (int i = 0; i < 4; i++)
    count[s[i] & 3]++;
  if (count[2] == 4)
    return 1;
  return 0;
}
