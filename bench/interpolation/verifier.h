/* What every program of this folder includes: the input functions, and a loop that is endless unless a measurement bounds
 * it. Input comes from the functions of SV-COMP; `-DROUNDS=n` ends an endless loop after n rounds. */
#ifndef VERIFIER_H
#define VERIFIER_H

#include <assert.h>
#include <svcomp.h>

#ifdef ROUNDS
#define FOREVER for (int round_ = 0; round_ < ROUNDS; round_++)
#else
#define FOREVER for (;;)
#endif

/* A value from 0 to `most`. */
static inline unsigned below_or(unsigned most) {
  unsigned value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value <= most);
  return value;
}

static inline int flag(void) { return __VERIFIER_nondet_bool(); }

#endif
