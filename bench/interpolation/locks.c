// A lock protocol in an endless loop: each round takes any subset of K locks in order, and releases them in reverse order.
//! verdict: VERIFIED
//! verdict[BUG]: BUG reach-error
//! endless: yes
//! small: -DK=3 -DROUNDS=2
#include "verifier.h"

#ifndef K
#define K 12
#endif

static int held[K];

static void acquire(int lock) {
  if (held[lock])
    reach_error(); //~ BUG reach-error
  held[lock] = 1;
}

static void release(int lock) {
  if (!held[lock])
    reach_error();
  held[lock] = 0;
}

int main(void) {
  FOREVER {
    int wanted[K];
    for (int lock = 0; lock < K; lock++) {
      wanted[lock] = flag();
      if (wanted[lock])
        acquire(lock);
    }
    for (int lock = K - 1; lock >= 0; lock--) {
#ifdef BUG
      /* The last lock stays held if the first one was taken, too. */
      if (lock == K - 1 && wanted[0])
        continue;
#endif
      if (wanted[lock])
        release(lock);
    }
    if (flag())
      break;
  }
  return 0;
}
