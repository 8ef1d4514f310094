// Ifs whose conditions share a value with the next one: a state is the same only if the last value is as free as before.
//! exits: 0 1
//! complete: yes
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char first = __VERIFIER_nondet_uchar(), before = first;
  int only_rises = 1;
  for (int i = 0; i < 4; i++) {
    unsigned char now = __VERIFIER_nondet_uchar();
    if (now < before)
      only_rises = 0;
    before = now;
  }
  if (only_rises) {
    assert(before >= first);
    return 1;
  }
  return 0;
}
