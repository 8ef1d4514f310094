// The program brings its own `reach_error`, as those of SV-COMP do.
//! exits: 0
//! paths: 2
#include <assert.h>
#include <svcomp.h>

void reach_error(void) {
  assert(0 && "reach_error"); //~ BUG assertion
}

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  if (c == 200)
    reach_error();
  return 0;
}
