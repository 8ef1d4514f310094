// A generator of random numbers with a fixed seed is concrete.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>
#include <stdlib.h>

static unsigned next(unsigned *state) {
  *state = *state * 1103515245u + 12345u;
  return *state >> 16 & 0x7fff;
}

int main(void) {
  unsigned state = 1, guess;
  next(&state);
  unsigned secret = next(&state);
  klee_make_symbolic(&guess, sizeof guess, "guess");
  if (guess == secret)
    return 1;
  return 0;
}
