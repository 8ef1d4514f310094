/* rand, random and rand_r with the sequences of glibc, so that a native replay sees the same numbers.
 *
 * random is an additive generator: each word is the sum of the words 3 and 31 places before it, and
 * its lowest bit is dropped. The first 31 words come from a multiplicative generator and 310
 * results are thrown away. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <stdint.h>
#include <stdlib.h>

enum { DEGREE = 31, SEPARATION = 3, DISCARDED = 10 * DEGREE };

static uint32_t words[DEGREE];
static unsigned front, rear;
static int seeded;

static uint32_t next_word(void) {
  uint32_t word = words[front] += words[rear];
  front = front + 1 == DEGREE ? 0 : front + 1;
  rear = rear + 1 == DEGREE ? 0 : rear + 1;
  return word;
}

REPLACEABLE void srandom(unsigned seed) {
  int32_t word = seed == 0 ? 1 : (int32_t)seed;
  for (int i = 0; i < DEGREE; i++) {
    words[i] = (uint32_t)word;
    /* 16807 * word modulo 2^31 - 1 without leaving 32 bits. */
    word = 16807 * (word % 127773) - 2836 * (word / 127773);
    if (word < 0) word += INT32_MAX;
  }
  front = SEPARATION;
  rear = 0;
  seeded = 1;
  for (int i = 0; i < DISCARDED; i++) next_word();
}

REPLACEABLE long random(void) {
  if (!seeded) srandom(1);
  return next_word() >> 1;
}

REPLACEABLE void srand(unsigned seed) { srandom(seed); }
REPLACEABLE int rand(void) { return (int)random(); }

static unsigned step(unsigned *state, unsigned bits) {
  *state = *state * 1103515245 + 12345;
  return (*state >> 16) & ((1u << bits) - 1);
}

REPLACEABLE int rand_r(unsigned *seed) {
  unsigned high = step(seed, 11), middle = step(seed, 10), low = step(seed, 10);
  return (int)((high << 20) ^ (middle << 10) ^ low);
}
