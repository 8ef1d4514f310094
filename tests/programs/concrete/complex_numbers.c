// C's complex numbers.
#include <complex.h>
#include <stdio.h>

static double complex square(double complex z) { return z * z; }

int main(void) {
  volatile double re = 1.5, im = -2.0;
  double complex z = re + im * I;
  double complex w = square(z) + conj(z) - 3.0;
  printf("%g %g\n", creal(w), cimag(w));
  z = w * (2.0 + I);
  printf("%g %g\n", creal(z), cimag(z));
  z /= 4.0;
  printf("%g %g %d\n", creal(z), cimag(z), z == w);
  float complex f = 0.5f + 0.25f * I;
  for (int i = 0; i < 5; i++)
    f = f * f + 0.1f;
  printf("%.6g %.6g\n", (double)crealf(f), (double)cimagf(f));
  int inside = 0;
  for (int y = -10; y <= 10; y++)
    for (int x = -20; x <= 10; x++) {
      double complex c = x / 10.0 + y / 10.0 * I, m = 0;
      int n = 0;
      while (n < 30 && creal(m) * creal(m) + cimag(m) * cimag(m) < 4)
        m = m * m + c, n++;
      inside += n == 30;
    }
  return inside;
}
