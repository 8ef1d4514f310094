/* random and its relatives with the sequences of glibc, so that a native replay sees the same numbers.
 *
 * It is an additive generator: each word is the sum of two earlier ones, and its lowest bit is dropped. The first words
 * come from a multiplicative generator, and some results are thrown away. The smallest state is a linear generator. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* The layout of glibc's header. */
struct random_data {
  int32_t *front, *rear, *state;
  int type, degree, separation;
  int32_t *end;
};

int srandom_r(unsigned, struct random_data *);
int random_r(struct random_data *restrict, int32_t *restrict);
int initstate_r(unsigned, char *restrict, size_t, struct random_data *restrict);
int setstate_r(char *restrict, struct random_data *restrict);

enum { LINEAR, TYPES = 5, USUAL = 3 };

static const struct {
  size_t bytes;
  int degree, separation;
} types[TYPES] = {{8, 0, 0}, {32, 7, 3}, {64, 15, 1}, {128, 31, 3}, {256, 63, 1}};

REPLACEABLE int srandom_r(unsigned seed, struct random_data *data) {
  int32_t word = seed == 0 ? 1 : (int32_t)seed, result;
  if (data->type < 0 || data->type >= TYPES) return -1;
  data->state[0] = word;
  if (data->type == LINEAR) return 0;
  for (int i = 1; i < data->degree; i++) {
    /* 16807 * word modulo 2^31 - 1 without leaving 32 bits. */
    word = 16807 * (word % 127773) - 2836 * (word / 127773);
    if (word < 0) word += INT32_MAX;
    data->state[i] = word;
  }
  data->front = data->state + data->separation;
  data->rear = data->state;
  for (int i = 0; i < 10 * data->degree; i++) random_r(data, &result);
  return 0;
}

REPLACEABLE int random_r(struct random_data *restrict data, int32_t *restrict result) {
  if (!data || !result) {
    errno = EINVAL;
    return -1;
  }
  if (data->type == LINEAR) {
    *result = data->state[0] = (int32_t)(((uint32_t)data->state[0] * 1103515245u + 12345u) & INT32_MAX);
    return 0;
  }
  uint32_t word = (uint32_t)*data->front + (uint32_t)*data->rear;
  *data->front = (int32_t)word;
  *result = (int32_t)(word >> 1);
  if (++data->front == data->end) data->front = data->state;
  if (++data->rear == data->end) data->rear = data->state;
  return 0;
}

/* The word before a state says of which type it is and where it stands. */
static void note(const struct random_data *data) {
  if (data->state) data->state[-1] = data->type == LINEAR ? 0 : TYPES * (int32_t)(data->rear - data->state) + data->type;
}

static void use(struct random_data *data, int32_t *state, int type) {
  data->state = state;
  data->type = type;
  data->degree = types[type].degree;
  data->separation = types[type].separation;
  data->end = state + data->degree;
}

REPLACEABLE int initstate_r(unsigned seed, char *restrict state, size_t size, struct random_data *restrict data) {
  int type = TYPES - 1;
  if (!data || size < types[0].bytes) {
    errno = EINVAL;
    return -1;
  }
  while (types[type].bytes > size) type--;
  note(data);
  use(data, (int32_t *)state + 1, type);
  srandom_r(seed, data);
  note(data);
  return 0;
}

REPLACEABLE int setstate_r(char *restrict state, struct random_data *restrict data) {
  int32_t *words = (int32_t *)state + 1;
  if (!state || !data || words[-1] < 0) {
    errno = EINVAL;
    return -1;
  }
  note(data);
  int type = words[-1] % TYPES, rear = words[-1] / TYPES;
  use(data, words, type);
  if (type != LINEAR) {
    data->rear = words + rear;
    data->front = words + (rear + data->separation) % data->degree;
  }
  note(data);
  return 0;
}

/* --- The generator of the program -------------------------------------------------------------- */

static int32_t words[32];
static struct random_data program;

static struct random_data *started(void) {
  if (!program.state) {
    use(&program, words + 1, USUAL);
    srandom_r(1, &program);
    note(&program);
  }
  return &program;
}

REPLACEABLE void srandom(unsigned seed) { srandom_r(seed, started()); }

REPLACEABLE long random(void) {
  int32_t result;
  random_r(started(), &result);
  return result;
}

REPLACEABLE char *initstate(unsigned seed, char *state, size_t size) {
  char *old = (char *)(started()->state - 1);
  return initstate_r(seed, state, size, &program) ? 0 : old;
}

REPLACEABLE char *setstate(char *state) {
  char *old = (char *)(started()->state - 1);
  return setstate_r(state, &program) ? 0 : old;
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
