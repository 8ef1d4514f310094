// A state machine in an endless loop, of which each state is reached in several ways, and a loop with a bound before it.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
  int set = 0;
  for (int i = 0; i < 4; i++)
    if (__VERIFIER_nondet_int())
      set |= 1 << i;
  int state = set > 7 ? 1 : 0;
  int opened = state;
  while (1) {
    switch (__VERIFIER_nondet_int()) {
    case 1:
      if (state == 0) {
        state = 1;
        opened++;
      }
      break;
    case 2:
      if (state == 1)
        state = 2;
      break;
    case 3:
      if (state == 2) {
        state = 0;
        opened -= CLOSED;
      }
      break;
    }
    assert(opened <= 1 && opened >= 0);
    assert((state == 0) == (opened == 0));
  }
}
