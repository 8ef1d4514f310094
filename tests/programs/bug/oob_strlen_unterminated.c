// A string that was filled to the brim has no terminator.
//! exits: 0 1 2
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *s = malloc(3);
  klee_make_symbolic(s, 3, "s");
  char *volatile t = s;
  size_t n = strlen(t); //~ BUG out-of-bounds-read
  free(s);
  return (int)n;
}
