// Conversions between all arithmetic types.
#include <stdio.h>

int main(void) {
  volatile double d = 3000000000.75;
  volatile float f = -1.5f;
  volatile long l = 9007199254740993;
  volatile unsigned long u = 18446744073709551615ul;
  volatile signed char c = -128;
  printf("%u %ld %lu %lld\n", (unsigned)d, (long)d, (unsigned long)d, (long long)d);
  printf("%d %d %ld\n", (int)f, (short)f, (long)f);
  printf("%.1f %.1f %.9g\n", (double)l, (double)u, (double)(float)l);
  printf("%.1f %.1f\n", (double)c, (double)(float)c);
  printf("%d %d\n", (int)(float)16777217, (double)(float)l == (double)l);
  printf("%d %d %d\n", (_Bool)0.1, (_Bool)f, !!d);
  volatile unsigned long big = 1ul << 63;
  printf("%.1f %lu\n", (double)big, (unsigned long)(double)big);
  volatile long double ld = 18446744073709551615.0L;
  printf("%lu %ld\n", (unsigned long)ld, (long)(ld / 2));
  return (int)(d - 3000000000.0);
}
