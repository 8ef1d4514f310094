// `va_arg` and `printf` want more arguments than the call has.
//! exits: 0
#include <klee/klee.h>
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, int); //~ BUG bad-call
  va_end(list);
  return total;
}

__attribute__((noinline)) double mean(int count, ...) {
  va_list list;
  va_start(list, count);
  double total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, double); //~ BUG bad-call
  va_end(list);
  return total / count;
}

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  const char *format = x == 1 ? "%d %d\n" : "%d\n";
  if (x == 2)
    return sum(3, 1, 2) == 77;
  if (x == 3)
    return sum(9, 1, 2, 3, 4, 5, 6, 7, 8) == 77;
  if (x == 4)
    return mean(3, 1.0, 2.0) == 77;
  if (sum(2, 1, 2) != 3 || mean(2, 1.0, 3.0) != 2)
    return 1;
  printf(format, 5); //~ BUG bad-call
  return 0;
}
