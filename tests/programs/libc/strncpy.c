// strncpy fills up with zeros.
//! exits: 0
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char in[4], out[6];
  klee_make_symbolic(in, sizeof in, "in");
  in[3] = 0;
  memset(out, 'x', sizeof out);
  strncpy(out, in, 5);
  size_t n = strlen(in);
  for (size_t i = 0; i < 5; i++)
    klee_assert(out[i] == (i < n ? in[i] : 0));
  klee_assert(out[5] == 'x');
  return 0;
}
