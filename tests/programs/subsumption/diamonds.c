// Ifs in a row that count: all orders of the same flags come to the same state.
//! exits: 0
//! paths[O0]: 64
//! complete: yes
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int count = 0;
  for (int i = 0; i < 6; i++) {
    if (__VERIFIER_nondet_bool())
      count++;
  }
  assert(count <= 6);
  return 0;
}
