// Spans of characters from a set.
//! exits: 0 1 2 3
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  size_t in = strspn(s, "xy");
  size_t out = strcspn(s, "xy");
  klee_assert(in == 0 || out == 0);
  return (int)in;
}
