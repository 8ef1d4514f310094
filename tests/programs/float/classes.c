// The functions behind the macros that tell the classes of numbers, under the names that glibc's headers use.
//! exits: 1 2 3 4
#include <klee/klee.h>

int __isnan(double), __isinf(double), __finite(double), __fpclassify(double), __signbit(double);
int __isnanf(float), __isinff(float), __finitef(float), __fpclassifyf(float), __signbitf(float);
int __isnanl(long double), __isinfl(long double), __finitel(long double), __fpclassifyl(long double), __signbitl(long double);
int finite(double), finitef(float), finitel(long double), isinff(float), isnanf(float), isinfl(long double), isnanl(long double);

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile long double zero = 0, one = -1;
  if (__isnanl(one) || __isinfl(one / zero) != -1 || !__finitel(one) || __fpclassifyl(zero) != 2 || !__signbitl(one))
    return 5;
  if (!finitel(one) || !isinfl(one / zero) || !isnanl(zero / zero))
    return 6;
  if (__isnanf(x) != __isnan(x) || __isinff(x) != __isinf(x) || __finitef(x) != __finite(x))
    return 7;
  if (!isinff(x) != !__isinf(x) || !isnanf(x) != !__isnan(x) || !finitef(x) != !finite(x))
    return 8;
  if (!__signbitf(x) != !__signbit(x))
    return 9;
  if (__isnanf(x))
    return __fpclassifyf(x) == 0 ? 1 : 10;
  if (__isinff(x))
    return __fpclassifyf(x) == 1 && (__isinff(x) < 0) == !!__signbitf(x) ? 2 : 11;
  return __fpclassify(x) == 2 ? 3 : 4;
}
