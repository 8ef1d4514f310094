// Comparing with a secret.
//! exits-some: 0 1 2
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  s[4] = 0;
  int order = strcmp(s, "tree");
  return order == 0 ? 1 : order < 0 ? 2 : 0;
}
