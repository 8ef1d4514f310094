// Searching a short word.
//! exits: 0 1
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  char *at = strstr(s, "ab");
  if (!at)
    return 0;
  klee_assert(at[0] == 'a' && at[1] == 'b');
  return 1;
}
