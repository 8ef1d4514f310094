// INPUT 3
#include "target.h"
#include <stdarg.h>
static void store(int n, ...) {
  va_list l;
  va_start(l, n);
  for (int i = 0; i < n; i++) {
    int *p = va_arg(l, int *);
    *p = i + n;
  }
  va_end(l);
}
int main(void) {
  int a = 0, b = 0, c = 0;
  store(in() == 3 ? 3 : 2, &a, &b, &c);
  if (c == 5 && b == 4)
    target();
  return 0;
}
