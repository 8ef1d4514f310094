// Variable arguments of every class, more than fit in registers.
#include <stdarg.h>
#include <stdio.h>

struct pair {
  long a;
  double b;
};
struct block {
  int v[7];
};

static void show(int n, ...) {
  va_list ap, twice;
  va_start(ap, n);
  va_copy(twice, ap);
  for (int i = 0; i < n; i++)
    printf("%d ", va_arg(ap, int));
  for (int i = 0; i < n; i++)
    printf("%g ", va_arg(ap, double));
  struct pair p = va_arg(ap, struct pair);
  struct block b = va_arg(ap, struct block);
  printf("%ld %g %d %s %Lg\n", p.a, p.b, b.v[6], va_arg(ap, char *), va_arg(ap, long double));
  va_end(ap);
  printf("%d\n", va_arg(twice, int));
  va_end(twice);
}

static int sum(int first, ...) {
  va_list ap;
  int total = 0;
  va_start(ap, first);
  for (int x = first; x; x = va_arg(ap, int))
    total += x;
  va_end(ap);
  return total;
}

int main(void) {
  struct pair p = {5, 6.5};
  struct block b = {{1, 2, 3, 4, 5, 6, 7}};
  show(2, 10, 20, 1.5, 2.5, p, b, "end", 9.75L);
  show(5, 1, 2, 3, 4, 5, .1, .2, .3, .4, .5, p, b, "more", 1e30L);
  printf("%d\n", sum(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0));
  return sum(4, 0);
}
