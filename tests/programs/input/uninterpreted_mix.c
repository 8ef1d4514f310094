// Input of two interfaces in one program keeps its order.
//! exits: 0 1
//! paths[O0]: 3
#include <klee/klee.h>
#include <svcomp.h>

int main(void) {
  short a;
  klee_make_symbolic(&a, sizeof a, "a");
  int b = __VERIFIER_nondet_int();
  if (a == 1 && b == a + 1)
    return 1;
  return 0;
}
