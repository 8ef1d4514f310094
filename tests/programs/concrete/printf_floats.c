// Floating-point conversions.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  double values[] = {0.0, -0.0, 1.0, -1.5, 3.14159265358979, 1e10, 1e-10, 123456789.125, 1e100, 5e-324, DBL_MAX, DBL_MIN, 0.1};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double v = values[i];
    printf("%e|%g|%.3e|%.10g|%G|%a\n", v, v, v, v, v, v);
  }
  printf("%f|%.0f|%#.0f|%.10f|%+f|% f|%012.4f|%-12.2f|\n", 2.5, 2.5, 2.5, 0.1, 1.0, 1.0, -3.25, 9.999);
  printf("%f %F %e %g %a\n", INFINITY, -INFINITY, (double)INFINITY, (double)-INFINITY, (double)INFINITY);
  printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5);
  printf("%.17g %.17g %.9g\n", 0.1, 1.0 / 3.0, (double)(1.0f / 3.0f));
  printf("%g %g %g %g\n", 100000.0, 1000000.0, 0.0001, 0.00001);
  printf("%#g %.3g %.15g\n", 1.0, 1234.5, 1e15);
  printf("%.1a %.0a %A\n", 1.9999, 1.5, 255.5);
  return 0;
}
