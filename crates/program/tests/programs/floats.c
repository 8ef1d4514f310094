#include "out.h"
#include <math.h>
#include <stdint.h>

static const double values[] = {0.0, -0.0, 1.0, -1.5, 2.5, 3.5, -2.5, 0.49999999999999994, 1e300, -1e-310, 5e-324, 123456789.75,
                                INFINITY, -INFINITY, NAN, 1e19, -3e9, 4294967295.5};
#define COUNT (int)(sizeof values / sizeof *values)

static int classes(double d, float f) {
  return isnan(d) + isinf(d) * 2 + isfinite(d) * 4 + isnormal(d) * 8 + !!signbit(d) * 16 + isnan(f) * 32 + isinf(f) * 64
         + isnormal(f) * 128 + (__builtin_fpclassify(0, 1, 2, 3, 4, d) << 8) + (__builtin_isinf_sign(d) << 12)
         + __builtin_issubnormal(d) * 65536 + __builtin_iszero(f) * 131072;
}

static int order(double a, double b) {
  return (a < b) + (a <= b) * 2 + (a > b) * 4 + (a >= b) * 8 + (a == b) * 16 + (a != b) * 32 + isunordered(a, b) * 64
         + !(a < b) * 128 + islessgreater(a, b) * 256;
}

void run(void) {
  for (int i = 0; i < COUNT; i++) {
    double a = values[i];
    float f = (float)a;
    keep(classes(a, f)), keep_double(f), keep_double(-a), keep_double(-f);
    keep_double(__builtin_fabs(a)), keep_double(__builtin_floor(a)), keep_double(__builtin_ceil(a));
    keep_double(__builtin_trunc(a)), keep_double(__builtin_round(a)), keep_double(__builtin_rint(a));
    keep_double(__builtin_nearbyint(a)), keep_double(__builtin_roundeven(a)), keep_double(__builtin_sqrt(a > 0 ? a : 2));
    if (a > -1e9 && a < 1e9) {
      keep((int)a), keep((long)a), keep((short)(int)f), keep(__builtin_lrint(a)), keep(__builtin_llround(a));
      keep(a >= 0 ? (unsigned)a : 0), keep(a >= 0 ? (unsigned long)f : 0);
    }
    for (int j = 0; j < COUNT; j++) {
      double b = values[j];
      keep(order(a, b)), keep_double(a + b), keep_double(a - b), keep_double(a * b), keep_double(a / b);
      keep_double(f * (float)b + 1.0f), keep_double(__builtin_copysign(a, b)), keep_double(__builtin_fmin(a, b) + 0.0);
      keep_double(__builtin_fmax(a, b) + 0.0), keep_double(a > b ? a : b);
    }
  }
  for (int i = -70; i < 70; i += 3) {
    long n = (long)((unsigned long)i << 57 ^ (unsigned long)i * 1234567891);
    keep_double(n), keep_double((float)n), keep_double((unsigned long)n), keep_double((float)(unsigned long)n);
    keep_double((int)n), keep_double((float)(unsigned)n), keep_double((unsigned char)n);
  }
}
