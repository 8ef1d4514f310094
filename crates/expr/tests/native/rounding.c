/* Reads pairs of bit patterns and prints, for each rounding mode, what the processor and the C library make of them. */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Which of several operands that are not numbers a fused operation hands on differs from processor to processor. */
static float float_or_zero(float value) { return isnan(value) ? 0 : value; }
static double double_or_zero(double value) { return isnan(value) ? 0 : value; }

static void print(uint64_t bits) { printf("%" PRIx64 " ", bits); }

int main(void) {
  static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  uint64_t first, second;
  while (scanf("%" SCNx64 " %" SCNx64, &first, &second) == 2) {
    volatile double x, y;
    volatile float a, b;
    double xx, yy;
    float aa, bb;
    memcpy(&xx, &first, sizeof xx);
    memcpy(&yy, &second, sizeof yy);
    memcpy(&aa, &first, sizeof aa);
    memcpy(&bb, &second, sizeof bb);
    x = xx, y = yy, a = aa, b = bb;
    for (int i = 0; i < 4; i++) {
      fesetround(modes[i]);
      volatile float singles[] = {a + b, a - b, a * b, a / b, sqrtf(a), rintf(a), float_or_zero(fmaf(a, b, a)), (float)x,
                                  (float)(int64_t)first, (float)(int32_t)first};
      volatile double doubles[] = {x + y, x - y, x * y, x / y, sqrt(x), rint(x), double_or_zero(fma(x, y, x)), (double)a,
                                   (double)(int64_t)first, (double)(int32_t)first};
      fesetround(FE_TONEAREST);
      for (int at = 0; at < 10; at++) {
        print(bits_of_float(singles[at]));
        print(bits_of_double(doubles[at]));
      }
    }
    printf("\n");
  }
  return 0;
}
