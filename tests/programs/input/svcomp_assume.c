// `__VERIFIER_assume` and a claim that holds because of it.
//! exits: 0 1
//! paths[O0]: 2
#include <svcomp.h>

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  __VERIFIER_assume(x > 10);
  __VERIFIER_assume(x < 20);
  if (x * x > 400)
    reach_error();
  if (x == 15)
    return 1;
  return 0;
}
