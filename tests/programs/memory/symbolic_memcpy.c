// The length of a copy is input.
//! exits: 0 1
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char from[5] = {1, 2, 3, 4, 5}, to[5] = {0};
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n > 5)
    return 0;
  memcpy(to, from, n);
  for (unsigned i = 0; i < 5; i++)
    klee_assert(to[i] == (i < n ? from[i] : 0));
  return to[2] == 3;
}
