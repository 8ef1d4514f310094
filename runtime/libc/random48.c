/* The reentrant relatives of drand48: X' = a X + c modulo 2^48. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The layout of glibc's header. */
struct drand48_data {
  unsigned short x[3], old_x[3], c, is_set;
  uint64_t a;
};

int drand48_r(struct drand48_data *, double *);
int erand48_r(unsigned short[3], struct drand48_data *, double *);
int lrand48_r(struct drand48_data *, long *);
int nrand48_r(unsigned short[3], struct drand48_data *, long *);
int mrand48_r(struct drand48_data *, long *);
int jrand48_r(unsigned short[3], struct drand48_data *, long *);
int srand48_r(long, struct drand48_data *);
int seed48_r(unsigned short[3], struct drand48_data *);
int lcong48_r(unsigned short[7], struct drand48_data *);

static const uint64_t FACTOR = 0x5deece66d;
enum { SUMMAND = 0xb, LOWEST = 0x330e };

static void set(struct drand48_data *data) {
  data->a = FACTOR;
  data->c = SUMMAND;
  data->is_set = 1;
}

static uint64_t next(unsigned short x[3], struct drand48_data *data) {
  if (!data->is_set) set(data);
  uint64_t value = ((uint64_t)x[2] << 32 | (uint64_t)x[1] << 16 | x[0]) * data->a + data->c;
  x[0] = (unsigned short)value;
  x[1] = (unsigned short)(value >> 16);
  x[2] = (unsigned short)(value >> 32);
  return value & 0xffffffffffff;
}

REPLACEABLE int erand48_r(unsigned short x[3], struct drand48_data *data, double *result) {
  *result = (double)next(x, data) * 0x1p-48;
  return 0;
}

REPLACEABLE int nrand48_r(unsigned short x[3], struct drand48_data *data, long *result) {
  *result = (long)(next(x, data) >> 17);
  return 0;
}

REPLACEABLE int jrand48_r(unsigned short x[3], struct drand48_data *data, long *result) {
  *result = (int32_t)(next(x, data) >> 16);
  return 0;
}

REPLACEABLE int drand48_r(struct drand48_data *data, double *result) { return erand48_r(data->x, data, result); }
REPLACEABLE int lrand48_r(struct drand48_data *data, long *result) { return nrand48_r(data->x, data, result); }
REPLACEABLE int mrand48_r(struct drand48_data *data, long *result) { return jrand48_r(data->x, data, result); }

REPLACEABLE int srand48_r(long seed, struct drand48_data *data) {
  data->x[0] = LOWEST;
  data->x[1] = (unsigned short)seed;
  data->x[2] = (unsigned short)(seed >> 16);
  set(data);
  return 0;
}

REPLACEABLE int seed48_r(unsigned short x[3], struct drand48_data *data) {
  memcpy(data->old_x, data->x, sizeof data->x);
  memcpy(data->x, x, sizeof data->x);
  set(data);
  return 0;
}

REPLACEABLE int lcong48_r(unsigned short parameters[7], struct drand48_data *data) {
  memcpy(data->x, parameters, sizeof data->x);
  data->a = (uint64_t)parameters[5] << 32 | (uint64_t)parameters[4] << 16 | parameters[3];
  data->c = parameters[6];
  data->is_set = 1;
  return 0;
}
