// Infinities, not-a-numbers and zeros in arithmetic and comparison.
#include <math.h>
#include <stdio.h>

int main(void) {
  volatile double inf = INFINITY, nan = NAN, zero = 0.0;
  printf("%g %g %g\n", inf + 1, -inf * 2, 1 / inf);
  printf("%d %d %d\n", isnan(inf - inf) != 0, isnan(zero / zero) != 0, isnan(nan + 1) != 0);
  printf("%d%d%d%d%d%d\n", nan < 1, nan > 1, nan <= 1, nan >= 1, nan == nan, nan != nan);
  printf("%d%d%d\n", inf > 1e308, -inf < inf, zero == -zero);
  printf("%g %g\n", 1 / zero, 1 / -zero);
  printf("%d %d %d\n", isfinite(inf) != 0, isnormal(zero) != 0, fpclassify(5e-324) == FP_SUBNORMAL);
  volatile float tiny = 1e-45f;
  printf("%g %g %d\n", (double)tiny, (double)(tiny / 2), tiny > 0);
  printf("%.17g %.17g\n", nextafter(1.0, 2.0), nextafterf(1.0f, 2.0f) - 1.0);
  return 0;
}
