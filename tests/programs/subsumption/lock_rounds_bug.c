// Rounds in which any of some locks are taken and released: with both, one stays taken.
//! exits: 0
_Bool __VERIFIER_nondet_bool(void);
void reach_error(void);

volatile int held[2];

__attribute__((noinline)) void take(int lock) {
  if (held[lock])
    reach_error(); //~ BUG reach-error
  held[lock] = 1;
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    int a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
    if (a)
      take(0);
    if (b)
      take(1);
    if (b)
      held[1] = 0;
    else if (a)
      held[0] = 0;
  }
  return 0;
}
