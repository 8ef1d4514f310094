// x86 long double: arithmetic, comparison, arrays and structures of it.
#include <math.h>
#include <stdio.h>

struct s {
  char c;
  long double v;
};

static long double power(long double x, int n) { return n == 0 ? 1.0L : x * power(x, n - 1); }

int main(void) {
  long double a[3] = {1.5L, -2.25L, 1e-4000L};
  struct s s = {'s', 0};
  for (int i = 0; i < 3; i++)
    s.v += a[i];
  printf("%Lf %zu %zu\n", s.v, sizeof s, sizeof(long double));
  printf("%Lf %.15Lf\n", power(1.1L, 20), power(-0.5L, 3));
  printf("%d %d %d\n", a[2] > 0, (double)a[2] > 0, a[1] < a[0]);
  long n = (long)(a[0] * 1e15L);
  printf("%ld %d\n", n, (int)a[1]);
  long double fact = 1;
  for (int i = 2; i <= 25; i++)
    fact *= i;
  printf("%.0Lf\n", fact);
  printf("%Lg %Lg\n", fabsl(a[1]), floorl(a[1]));
  return s.c == 's';
}
