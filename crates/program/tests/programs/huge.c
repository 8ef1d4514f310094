// Integers of more than 128 bits: long runs of bit-fields, and what `_BitInt` does without multiplying.
#include "out.h"

struct __attribute__((packed)) bits {
  unsigned a : 3;
  unsigned long b : 60;
  long c : 50;
  unsigned d : 17;
  unsigned long e : 40;
  signed long f : 33;
};

static volatile unsigned long seed = 0x123456789abcdef1;

static unsigned long next(void) {
  seed = seed * 6364136223846793005 + 1442695040888963407;
  return seed;
}

typedef unsigned _BitInt(200) u200;
typedef signed _BitInt(321) i321;

static void put200(u200 x) {
  keep((unsigned long)x);
  keep((unsigned long)(x >> 64));
  keep((unsigned long)(x >> 128));
  keep((unsigned long)(x >> 192));
}

void run(void) {
  for (int i = 0; i < 6; i++) {
    volatile struct bits v = {0};
    v.b = next();
    v.a = next();
    v.c = next();
    v.d = next();
    v.e = next();
    v.f = next();
    keep(v.a);
    keep(v.b);
    keep(v.c);
    keep(v.d);
    keep(v.e);
    keep(v.f);
    u200 x = ((u200)next() << 130) | ((u200)next() << 71) | next(), y = ((u200)next() << 133) | ((u200)next() << 64);
    put200(x + y);
    put200(x - y);
    put200(x & y);
    put200(x | ~y);
    put200(x ^ y);
    put200(x << 1);
    put200(x >> 77);
    keep((x < y) + 2 * (x == y) + 4 * (x >= y) + 8 * (x != y) + 16 * (x > x - 1));
    i321 s = (i321)x - y;
    keep((unsigned long)(s >> 100));
    keep((unsigned long)(s >> 300));
    keep((s < 0) + 2 * (s <= (i321)y) + 4 * (-s > 5));
    keep((unsigned long)(s >> 3));
  }
}
