// A hand-written parser of signed decimal numbers.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  int i = 0, negative = 0, value = 0;
  if (s[0] == '-') {
    negative = 1;
    i = 1;
  }
  int start = i;
  while (i < 4 && s[i] >= '0' && s[i] <= '9')
    value = value * 10 + (s[i++] - '0');
  if (i == start || (i < 4 && s[i] != 0))
    return 0;
  if (negative)
    value = -value;
  if (value == -73)
    return 2;
  return 1;
}
