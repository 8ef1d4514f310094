// Searching a character from both ends.
//! exits: 0 1 2
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  char *first = strchr(s, ':'), *last = strrchr(s, ':');
  if (!first) {
    klee_assert(!last);
    return 0;
  }
  klee_assert(*first == ':' && *last == ':' && first <= last);
  if (first == last)
    return 1;
  return 2;
}
