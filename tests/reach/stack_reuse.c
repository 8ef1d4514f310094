// INPUT 7
#include "target.h"
static int *leak(int x) {
  static int s[2];
  s[x & 1] = x;
  return &s[x & 1];
}
int main(void) {
  int x = in();
  int *p = leak(x), *q = leak(x + 2);
  if (p == q && *p == 9)
    target();
  return 0;
}
