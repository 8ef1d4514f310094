// Two functions that call each other: on one way back the depth is not set back.
//! exits: 0
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

volatile int depth;

int is_odd(int left);

int is_even(int left) {
  depth++;
  int result = left == 0 || is_odd(left - 1);
  depth--;
  return result;
}

int is_odd(int left) {
  depth++;
  if (left == 0)
    return 0;
  int result = __VERIFIER_nondet_bool() ? is_even(left - 1) : is_odd(left - 1);
  depth--;
  return result;
}

int main(void) {
  is_even(4);
  assert(depth == 0); //~ BUG assertion
  return 0;
}
