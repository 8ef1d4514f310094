// A function with variable arguments of different types.
//! exits: 0 1 2
#include <klee/klee.h>
#include <stdarg.h>

__attribute__((noinline)) long total(const char *types, ...) {
  va_list ap, copy;
  long sum = 0;
  va_start(ap, types);
  va_copy(copy, ap);
  for (const char *t = types; *t; t++) {
    switch (*t) {
    case 'i':
      sum += va_arg(ap, int);
      break;
    case 'l':
      sum += va_arg(ap, long);
      break;
    case 'd':
      sum += (long)va_arg(ap, double);
      break;
    }
  }
  va_end(ap);
  sum += va_arg(copy, int);
  va_end(copy);
  return sum;
}

int main(void) {
  short x;
  klee_make_symbolic(&x, sizeof x, "x");
  long sum = total("ilidiiiil", x, 100000000000L, 2, 3.5, 4, 5, 6, 7, 8L);
  if (sum != 100000000035L + 2 * x)
    return 3;
  if (sum == 100000000035L + 2468)
    return 1;
  if (x == -5)
    return 2;
  return 0;
}
