// Functions of math.h.
#include <math.h>
#include <stdio.h>

int main(void) {
  static const double xs[] = {0.0, 0.5, 1.0, -0.75, 2.0, 10.0, -3.5};
  for (unsigned i = 0; i < sizeof xs / sizeof *xs; i++) {
    volatile double x = xs[i];
    printf("%.12g %.12g %.12g %.12g\n", sin(x), cos(x), tan(x), atan(x));
    printf("%.12g %.12g %.12g %.12g\n", exp(x), exp2(x), sinh(x), tanh(x));
    printf("%.12g %.12g %.12g %.12g\n", log(x * x + 1), sqrt(x * x), cbrt(x), hypot(x, 2.0));
    printf("%g %g %g %g %g %g\n", floor(x), ceil(x), trunc(x), round(x), rint(x), fabs(x));
    printf("%.12g %.12g %g %g\n", pow(2.0, x), atan2(x, 1.5), fmod(x, 0.6), copysign(3.0, x));
  }
  int e;
  double whole, m = frexp(48.0, &e), part = modf(-3.75, &whole);
  printf("%g %d %g %g %g\n", m, e, part, whole, ldexp(0.625, 5));
  printf("%ld %ld %g %g %g\n", lround(2.5), lrint(2.5), fmin(1, 2), fmax(1, 2), fdim(5, 3));
  printf("%d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, signbit(-0.0) != 0);
  return 0;
}
