#include "out.h"
#include <stdbool.h>
#include <stdint.h>

static unsigned seed = 12345;
static unsigned rnd(void) { return seed = seed * 1103515245u + 12345u; }
static uint64_t rnd64(void) { return (uint64_t)rnd() << 40 ^ (uint64_t)rnd() << 20 ^ rnd(); }
typedef unsigned __int128 u128;
typedef __int128 i128;

static int overflow(int a, int b) {
  int r;
  unsigned u;
  long l;
  short s;
  i128 w;
  u128 x;
  int n = __builtin_add_overflow(a, b, &r);
  n = n * 2 + __builtin_sub_overflow(a, b, &r);
  n = n * 2 + __builtin_mul_overflow(a, b, &r);
  n = n * 2 + __builtin_add_overflow((unsigned)a, (unsigned)b, &u);
  n = n * 2 + __builtin_sub_overflow((unsigned)a, (unsigned)b, &u);
  n = n * 2 + __builtin_mul_overflow((unsigned)a, (unsigned)b, &u);
  n = n * 2 + __builtin_mul_overflow((long)a << 20, (long)b << 11, &l);
  n = n * 2 + __builtin_mul_overflow((short)a, (short)b, &s);
  n = n * 2 + __builtin_mul_overflow((i128)a << 90, (i128)b, &w);
  n = n * 2 + __builtin_mul_overflow((u128)(unsigned)a << 95, (u128)(b & 7), &x);
  n = n * 2 + __builtin_add_overflow((i128)a << 96, (i128)b << 96, &w);
  keep(r), keep(u), keep(l), keep(s), keep((uint64_t)(w >> 64)), keep((uint64_t)x);
  return n;
}

static unsigned rotate(unsigned a, int n) { return a << (n & 31) | a >> (-n & 31); }
static uint64_t rotate64(uint64_t a, int n) { return a >> (n & 63) | a << (-n & 63); }
static uint8_t rotate8(uint8_t a, unsigned n) { return __builtin_rotateleft8(a, n); }

static void bits(unsigned a, uint64_t b) {
  keep(__builtin_popcount(a)), keep(__builtin_popcountll(b)), keep(__builtin_clz(a | 1)), keep(__builtin_clzll(b | 1));
  keep(__builtin_ctz(a | 1u << 31)), keep(__builtin_ffsll(b)), keep(__builtin_parity(a)), keep(__builtin_bswap16(a));
  keep(__builtin_bswap32(a)), keep(__builtin_bswap64(b)), keep(__builtin_bitreverse8(a)), keep(__builtin_bitreverse64(b));
  keep(rotate(a, b)), keep(rotate(a, 0)), keep(rotate64(b, a)), keep(rotate8(a, b)), keep(__builtin_rotateright32(a, 7));
}

static int smax(int a, int b) { return a > b ? a : b; }
static unsigned saturate(unsigned a, unsigned b) { unsigned s = a + b; return s < a ? ~0u : s; }
static unsigned monus(unsigned a, unsigned b) { return a > b ? a - b : 0; }

static void wide(u128 a, i128 b) {
  u128 q = a / ((u128)b | 1), r = a % ((u128)b | 1), p = a * (u128)b, s = a << ((int)b & 127), t = a >> ((int)b & 127);
  i128 d = (i128)a / (b | 1), m = (i128)a % (b | 1), h = b >> ((int)a & 127);
  u128 all = q ^ r ^ p ^ s ^ t ^ (u128)d ^ (u128)m ^ (u128)h;
  keep((uint64_t)all), keep((uint64_t)(all >> 64)), keep(a < (u128)b), keep((i128)a < b), keep(a == (u128)b);
  double x = (double)b, y = (double)a;
  float f = (float)b, g = (float)a;
  keep_double(x), keep_double(y), keep_double(f), keep_double(g);
  i128 back = (i128)(x / 3);
  u128 forth = (u128)(y / 5);
  keep((uint64_t)back), keep((uint64_t)(back >> 64)), keep((uint64_t)forth), keep((uint64_t)(forth >> 64));
}

struct fields {
  unsigned a : 3;
  int b : 13;
  unsigned long c : 33;
  signed d : 1;
  unsigned long long e : 48;
  bool f : 1;
};

static void fields(struct fields *p, long v) {
  p->a = v, p->b += v, p->c ^= v * 7, p->d = v, p->e -= v, p->f = v & 4;
  keep(p->a), keep(p->b), keep(p->c), keep(p->d), keep(p->e), keep(p->f);
}

static _BitInt(37) odd(_BitInt(37) a, unsigned _BitInt(100) b) { return a * 3 + (_BitInt(37))(b >> 5) - (_BitInt(37))(b % 77); }

static int choose(long x) {
  switch (x) {
  case -5: return 1;
  case 0 ... 3: return 2;
  case 1000000000000: return 3;
  case 7:
  case 9: return 4;
  case 11: return 5;
  }
  return 0;
}

void run(void) {
  static struct fields f = {1, -2, 77, -1, 99, true};
  for (int i = 0; i < 40; i++) {
    int a = rnd(), b = i & 1 ? rnd() : rnd() & 255;
    uint64_t c = rnd64(), d = rnd64();
    keep(overflow(a, b)), bits(a, c), fields(&f, c);
    keep(smax(a, b)), keep(saturate(a, b)), keep(monus(a, b)), keep(a < 0 ? -(unsigned)a : a);
    wide((u128)c << 64 | d, i & 2 ? -(i128)d : (i128)(d >> 3) << (a & 63));
    keep((uint64_t)odd((_BitInt(37))c, (unsigned _BitInt(100))d << 40));
    keep((int8_t)a >> 2), keep((uint16_t)a / ((b & 7) + 1)), keep((short)a % ((b & 15) + 1)), keep((int64_t)(int8_t)c);
    keep(choose(i - 6)), keep(choose(i & 1 ? 1000000000000 : a)), keep((bool)(a & 16) ^ (b > 3));
  }
}
