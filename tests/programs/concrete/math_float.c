// The same functions on float, and their rounding.
#include <math.h>
#include <stdio.h>

int main(void) {
  volatile float x = 0.7f, y = -2.25f;
  printf("%.9g %.9g %.9g\n", (double)sinf(x), (double)cosf(x), (double)expf(x));
  printf("%.9g %.9g %.9g\n", (double)sqrtf(x), (double)powf(x, 3.0f), (double)logf(x));
  printf("%g %g %g %g\n", (double)floorf(y), (double)ceilf(y), (double)truncf(y), (double)roundf(y));
  printf("%g %g %g\n", (double)fabsf(y), (double)fminf(x, y), (double)fmaxf(x, y));
  printf("%.9g %.9g\n", (double)fmaf(x, y, 1.0f), (double)fmodf(7.5f, x));
  printf("%.9g\n", (double)(x * y + 1.0f));
  float sum = 0;
  for (int i = 1; i <= 1000; i++)
    sum += 1.0f / (float)i;
  printf("%.9g\n", (double)sum);
  printf("%d %d\n", (int)y, (int)(unsigned char)x);
  return 0;
}
