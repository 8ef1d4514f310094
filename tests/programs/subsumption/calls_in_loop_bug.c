// Calls in a loop: one of them checks for the wrong structure.
//! exits: 0
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

struct stock {
  int pieces;
};

__attribute__((noinline)) void take(struct stock *from, struct stock *to) {
  if (to->pieces < 2) {
    from->pieces--;
    to->pieces++;
  }
  assert(from->pieces >= 0); //~ BUG assertion
}

int main(void) {
  struct stock shop = {1}, store = {1};
  for (int i = 0; i < 4; i++) {
    if (__VERIFIER_nondet_bool())
      take(&shop, &store);
    else
      store.pieces = 0;
  }
  return 0;
}
