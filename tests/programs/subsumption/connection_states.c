// A connection with a few states, driven by events for some rounds; flags must fit the state.
//! exits: 0
//! complete: yes
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);

enum state { CLOSED, OPENING, OPEN, CLOSING };

int main(void) {
  enum state state = CLOSED;
  int said_hello = 0, retries = 0;
  for (int round = 0; round < 4; round++) {
    unsigned event = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(event < 3);
    switch (state) {
    case CLOSED:
      if (event == 0) {
        said_hello = 1;
        retries = 0;
        state = OPENING;
      }
      break;
    case OPENING:
      if (event == 1)
        state = OPEN;
      else if (event == 2 && ++retries == 2) {
        said_hello = 0;
        state = CLOSED;
      }
      break;
    case OPEN:
      if (event == 2)
        state = CLOSING;
      break;
    case CLOSING:
      if (event != 0) {
        said_hello = 0;
        state = CLOSED;
      }
      break;
    }
    assert(said_hello == (state != CLOSED));
    assert(retries <= 2);
  }
  return 0;
}
