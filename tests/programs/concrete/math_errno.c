// What mathematical functions return and leave in errno.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>

#define ONE(name) {#name, name, name##f}
#define TWO(name) {#name, name, name##f}

static const struct {
  const char *name;
  double (*call)(double);
  float (*callf)(float);
} unary[] = {
    ONE(sqrt), ONE(sin),   ONE(cos),   ONE(tan),   ONE(asin),  ONE(acos), ONE(atan), ONE(sinh),   ONE(cosh),
    ONE(tanh), ONE(asinh), ONE(acosh), ONE(atanh), ONE(exp),   ONE(exp2), ONE(log),  ONE(log2),   ONE(log10),
    ONE(cbrt), ONE(expm1), ONE(log1p), ONE(erf),   ONE(erfc),  ONE(j0),   ONE(j1),   ONE(tgamma), ONE(lgamma),
    ONE(y0),   ONE(y1),    ONE(exp10), ONE(logb),
};

static const struct {
  const char *name;
  double (*call)(double, double);
  float (*callf)(float, float);
} binary[] = {
    TWO(pow), TWO(atan2), TWO(hypot), TWO(fmod), TWO(fdim), TWO(remainder), TWO(drem), TWO(nextafter),
};

static const double values[] = {
    0,  -0.0, 1,   -1,   0.5, -0.5,  1.5, 2,     3,    10,    -3,    100, 1000, -1000,    1e-5,
    30, 0.1,  2.5, 17.2, -7,  1e-20, 1e9, 1e300, -2.5, 1e-310, 5e-324, 170, 172,  INFINITY, -INFINITY,
};
enum { VALUES = sizeof values / sizeof *values };

/* The sign of a NaN is left to the library. */
static double shown(double value) { return value == value ? value : -1234.5; }

int main(void) {
  for (int i = 0; i < VALUES; i++) {
    double x = values[i];
    for (size_t f = 0; f < sizeof unary / sizeof *unary; f++) {
      errno = 0;
      double y = unary[f].call(x);
      printf("%s %a: %a %d", unary[f].name, x, shown(y), errno);
      errno = 0;
      y = unary[f].callf((float)x);
      printf(" %a %d\n", shown(y), errno);
    }
    for (size_t f = 0; f < sizeof binary / sizeof *binary; f++) {
      for (int j = 0; j < VALUES; j++) {
        errno = 0;
        double y = binary[f].call(x, values[j]);
        printf("%s %a %a: %a %d", binary[f].name, x, values[j], shown(y), errno);
        errno = 0;
        y = binary[f].callf((float)x, (float)values[j]);
        printf(" %a %d\n", shown(y), errno);
      }
    }
    double sine, cosine;
    sincos(x, &sine, &cosine);
    lgamma(x);
    printf("%a %a %d\n", shown(sine), shown(cosine), signgam);
    errno = 0;
    int exponent = ilogb(x);
    printf("%d %d", exponent, errno);
    errno = 0;
    double scaled = ldexp(x, -1060);
    printf(" %a %d", scaled, errno);
    errno = 0;
    scaled = scalbln(x, 1000);
    printf(" %a %d\n", scaled, errno);
  }
  return 0;
}
