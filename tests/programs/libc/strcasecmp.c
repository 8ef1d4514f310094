// Comparing without regard to case.
//! exits: 0 1
#include <klee/klee.h>
#include <strings.h>

int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  s[2] = 0;
  return strcasecmp(s, "On") == 0;
}
