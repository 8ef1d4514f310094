// `long double`, conversions of integers, and numbers read and printed follow the rounding mode, too.
#include <fenv.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double one = 1, three = 3, large = 0x1.fffffep127, small = 0x1p-149;
static volatile long double long_one = 1, long_three = 3;
static volatile long odd = 9007199254740993;

int main(void) {
  static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  for (int i = 0; i < 4; i++) {
    fesetround(modes[i]);
    volatile double quotient = one / three, product = small * small, sum = large + one;
    volatile float narrow = (float)(one / three), overflow = (float)(large * three);
    volatile double converted = (double)odd, negative = (double)-odd, read = strtod("0.1", NULL);
    volatile double from_long = (double)(long_one / long_three);
    int mode = FLT_ROUNDS;
    fesetround(FE_TONEAREST);
    printf("%a %a %a %a %a\n", quotient, product, sum, narrow, overflow);
    printf("%a %a %a %a %d\n", converted, negative, read, from_long, mode);
  }
  return 0;
}
