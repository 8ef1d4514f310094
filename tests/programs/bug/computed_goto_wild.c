// A computed goto to an address that may be anything.
//! exits: 1 2
// All computed gotos of a function are one jump, which has no line of its own.
// An optimiser may take a jump to what is no label for impossible.
//! levels: O0
#include <klee/klee.h>

__attribute__((noinline)) int run(unsigned char which, long offset) { //~ BUG bad-call
  void *target = which ? &&one : &&two;
  goto *(target + offset);
one:
  return 1;
two:
  return 2;
}

int main(void) {
  unsigned char which;
  long offset;
  klee_make_symbolic(&which, sizeof which, "which");
  klee_make_symbolic(&offset, sizeof offset, "offset");
  klee_assume(offset == 0 || offset == 1L << 40);
  return run(which, offset);
}
