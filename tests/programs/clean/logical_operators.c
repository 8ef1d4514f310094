// Short-circuit operators skip what must not run.
//! exits: 0 1
#include <klee/klee.h>
#include <stddef.h>

static volatile int calls;
static int called(int x) {
  calls++;
  return x;
}

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int *none = NULL;
  if (none != NULL && *none == x)
    return 2;
  int r = (x > 5 && called(x) < 10) || (x == -1 && !called(0));
  klee_assert(calls == (x > 5 || x == -1));
  klee_assert(r == ((x > 5 && x < 10) || x == -1));
  return r;
}
