// Conversions of long double.
#include <stdio.h>

int main(void) {
  volatile long double a = 1.0L / 3.0L, b = 1e4000L, c = -2.5L, d = 0.1L;
  printf("%Lf %Le %Lg\n", a, a, a);
  printf("%.20Lf %.18Lg\n", a, a);
  printf("%Le %Lg\n", b, b * 10);
  printf("%Lf %.0Lf %+Lf %10.3Lf|\n", c, c, -c, c);
  printf("%.25Lf\n", d);
  printf("%d %d\n", a * 3 == 1.0L, (double)d == 0.1);
  printf("%.10Lf\n", (long double)123456789012345678LL);
  return (int)(c * -2);
}
