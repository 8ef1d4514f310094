// Two functions that call each other, as deep as flags say; each call must be matched by a return.
//! exits: 0
//! complete: yes
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

static int depth, deepest;

static void down(int left);

static void across(int left) {
  if (left > 0 && __VERIFIER_nondet_bool())
    down(left - 1);
}

static void down(int left) {
  depth++;
  if (depth > deepest)
    deepest = depth;
  across(left);
  if (left > 1)
    across(left - 2);
  depth--;
}

int main(void) {
  down(4);
  assert(depth == 0 && deepest <= 5);
  return 0;
}
