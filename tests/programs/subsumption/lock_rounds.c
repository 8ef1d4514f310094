// Rounds in which any of some locks are taken and released.
//! exits: 0
//! complete: yes
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

static int held[2];

static void take(int lock) {
  assert(!held[lock]);
  held[lock] = 1;
}

static void give(int lock) {
  assert(held[lock]);
  held[lock] = 0;
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    int a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
    if (a)
      take(0);
    if (b)
      take(1);
    if (b)
      give(1);
    if (a)
      give(0);
  }
  return 0;
}
