// A password is compared character by character.
//! exits: 1
//! paths[O0]: 7
//! branches: all
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char s[6];
  klee_make_symbolic(s, sizeof s, "s");
  const char *secret = "sesame";
  for (int i = 0; i < 6; i++)
    if (s[i] != secret[i])
      return 1;
  abort(); //~ BUG abort
}
