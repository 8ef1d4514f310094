// `klee_get_errno` gives the value of `errno`; the header may come before <assert.h>.
//! exits-some: 0 1
#include <klee/klee.h>
#include <assert.h>
#include <errno.h>

int main(void) {
  int x = klee_int("x");
  errno = x == 3 ? ERANGE : 0;
  int seen = klee_get_errno();
  assert(seen == (x == 3 ? ERANGE : 0));
  return seen == ERANGE;
}
