// Numerical algorithms: integration, Newton, a logistic map, a polynomial.
#include <math.h>
#include <stdio.h>

static double f(double x) { return x * x * x - 2 * x - 5; }
static double simpson(double (*g)(double), double a, double b, int n) {
  double h = (b - a) / n, s = g(a) + g(b);
  for (int i = 1; i < n; i++)
    s += g(a + i * h) * (i % 2 ? 4 : 2);
  return s * h / 3;
}

int main(void) {
  printf("%.15g\n", simpson(f, 0, 2, 100));
  printf("%.12g\n", simpson(sin, 0, 3, 50));
  double x = 2;
  for (int i = 0; i < 8; i++) {
    x -= f(x) / (3 * x * x - 2);
    printf("%.17g\n", x);
  }
  double l = 0.3;
  for (int i = 0; i < 200; i++)
    l = 3.7 * l * (1 - l);
  printf("%.17g %a\n", l, l);
  float z = 0, c = 0;
  for (int i = 1; i < 5000; i++) {
    float y = 1.0f / (float)i - c, t = z + y;
    c = (t - z) - y;
    z = t;
  }
  printf("%.9g\n", (double)z);
  return (int)(l * 100);
}
