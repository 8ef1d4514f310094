// Requests in the manner of a driver: one that was left pending and then cancelled is completed twice.
//! exits: 0
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

enum { FREE, PENDING, DONE };

volatile int state[2], cancelled[2];

__attribute__((noinline)) void complete(int request) {
  assert(state[request] == PENDING); //~ BUG assertion
  state[request] = DONE;
}

int main(void) {
  for (int request = 0; request < 2; request++) {
    if (__VERIFIER_nondet_bool())
      state[request] = PENDING;
    if (state[request] == PENDING && __VERIFIER_nondet_bool()) {
      cancelled[request] = 1;
      complete(request);
    }
  }
  for (int request = 0; request < 2; request++) {
    if (state[request] == PENDING || (cancelled[request] && cancelled[1 - request]))
      complete(request);
  }
  return 0;
}
