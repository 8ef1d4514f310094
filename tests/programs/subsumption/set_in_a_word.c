// A set as the bits of a word: members come, the lowest goes; a count must agree.
//! exits: 0
//! complete: yes
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  unsigned set = 0;
  int count = 0;
  for (int i = 0; i < 6; i++) {
    if (__VERIFIER_nondet_bool()) {
      set |= 1u << i;
      count++;
    } else if (set) {
      set &= set - 1;
      count--;
    }
  }
  assert(__builtin_popcount(set) == count);
  return 0;
}
