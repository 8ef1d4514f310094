// INPUT 3,9
#include "target.h"
#include <stdarg.h>
static int sum(int n, ...) {
  va_list l;
  va_start(l, n);
  int s = 0;
  for (int i = 0; i < n; i++)
    s += va_arg(l, int);
  va_end(l);
  return s;
}
int main(void) {
  int n = in(), x = in();
  if (n != 3)
    return 0;
  if (sum(n, x, 2, 3) == 14)
    target();
  return 0;
}
