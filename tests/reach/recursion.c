// INPUT 30
#include "target.h"
static int f(int n) {
  return n <= 0 ? 0 : 1 + f(n - 1);
}
int main(void) {
  int n = in();
  if (n < 100 && f(n) == 30)
    target();
  return 0;
}
