// `strncpy` leaves a long string without a terminator.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char in[4];
  klee_make_symbolic(in, sizeof in, "in");
  in[3] = 0;
  char *out = malloc(2);
  char *volatile p = out;
  strncpy(p, in, 2);
  size_t n = strlen(p); //~ BUG out-of-bounds-read
  free(out);
  return n > 1;
}
