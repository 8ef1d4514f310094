// Splitting at a separator.
//! exits: 0 1 2
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  int n = 0;
  for (char *t = strtok(s, ","); t; t = strtok(NULL, ",")) {
    klee_assert(*t != 0 && *t != ',');
    n++;
  }
  return n;
}
