// Comparing with a secret.
//! exits: 0 1 2
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  s[4] = 0;
  int order = strcmp(s, "tree");
  if (order == 0)
    return 1;
  if (order < 0)
    return 2;
  return 0;
}
