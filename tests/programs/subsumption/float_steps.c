// Floating point in the state: a sum of steps that are exact, and a comparison that decides.
//! exits: 0
//! complete: yes
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  volatile double level = 1.0;
  for (int i = 0; i < 6; i++) {
    if (__VERIFIER_nondet_bool()) {
      if (level < 2.0)
        level += 0.25;
    } else if (level > 0.5) {
      level -= 0.125;
    }
  }
  assert(level >= 0.5 && level <= 2.25);
  return 0;
}
