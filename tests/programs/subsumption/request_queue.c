// Requests in the manner of a driver: served at once, left pending, or refused; completion comes later.
//! exits: 0
//! complete: yes
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);

enum { IDLE, ACTIVE, PENDING, DONE };

static int state[2], locked, served;

static void lock(void) {
  assert(!locked);
  locked = 1;
}

static void unlock(void) {
  assert(locked);
  locked = 0;
}

static void complete(int request) {
  lock();
  assert(state[request] == ACTIVE || state[request] == PENDING);
  state[request] = DONE;
  served++;
  unlock();
}

static void dispatch(int request) {
  unsigned answer = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(answer < 3);
  state[request] = ACTIVE;
  if (answer == 0) {
    complete(request);
  } else {
    lock();
    state[request] = answer == 1 ? PENDING : IDLE;
    unlock();
  }
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    int request = round & 1;
    if (state[request] == PENDING) {
      if (__VERIFIER_nondet_bool())
        complete(request);
    } else {
      dispatch(request);
    }
  }
  for (int request = 0; request < 2; request++) {
    if (state[request] == PENDING)
      complete(request);
    assert(state[request] == IDLE || state[request] == DONE);
  }
  assert(!locked && served <= 3);
  return 0;
}
