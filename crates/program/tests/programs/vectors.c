#include "out.h"
#include <stdint.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef _Bool m8 __attribute__((ext_vector_type(8)));

static v4 mixed(v4 a, v4 b, int i) {
  v4 c = a * b + (a > b);
  c[i & 3] = 7;
  return __builtin_shufflevector(c, b, 0, 5, 2, 7) ^ c[i & 1];
}

static int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i] * 3;
  return s;
}

static unsigned most(const unsigned *a, int n) {
  unsigned m = 0;
  for (int i = 0; i < n; i++) m = a[i] > m ? a[i] : m;
  return m;
}

static void bytes(unsigned char *restrict to, const unsigned char *restrict from, int n) {
  for (int i = 0; i < n; i++) {
    int v = from[i] * 2 + 5;
    to[i] = v > 255 ? 255 : v;
  }
}

static m8 flags;

void run(void) {
  v4 a = {1, -2, 3, 4}, b = {5, 6, -7, 8};
  f4 f = {1.5f, 2.5f, -3.5f, 1e10f};
  d2 d = {1.25, -2.5};
  int numbers[50];
  unsigned char from[50], to[50];
  for (int i = 0; i < 50; i++) numbers[i] = i * i - 40 * i, from[i] = i * 11;
  for (int i = 0; i < 8; i++) {
    v4 c = mixed(a, b, i);
    f4 g = f / 2.0f + __builtin_convertvector(c, f4);
    d = d * d - __builtin_convertvector((__typeof__(__builtin_shufflevector(c, c, 0, 1)))__builtin_shufflevector(c, c, 0, 1), d2);
    for (int j = 0; j < 4; j++) keep(c[j]), keep_double(g[j]);
    keep_double(d[0]), keep_double(d[1]);
    b16 e = (b16)c + (b16)a;
    uint64_t word;
    memcpy(&word, &e, 8);
    keep(word);
    a += c, b -= a << 1;
    flags[i] = c[0] & 1;
    flags = ~flags;
    unsigned char packed;
    memcpy(&packed, &flags, 1);
    keep(packed);
    keep(__builtin_reduce_add(c)), keep(__builtin_reduce_max(c)), keep(__builtin_reduce_xor(b));
  }
  bytes(to, from, 50);
  for (int i = 0; i < 50; i++) keep(to[i]);
  for (int i = 0; i < 50; i += 7) keep(sum(numbers, i)), keep(most((unsigned *)numbers, i));
}
