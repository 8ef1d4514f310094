// A copy on the heap.
//! exits: 0 1
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  char *copy = strdup(s);
  klee_assert(copy != s && strcmp(copy, s) == 0);
  int r = copy[0] == 'D';
  free(copy);
  if (r)
    return 1;
  return 0;
}
