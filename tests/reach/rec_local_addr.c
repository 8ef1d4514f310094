// INPUT 3
#include "target.h"
static int walk(int n, int *up) {
  int own = n;
  if (up)
    *up += own;
  if (n > 0)
    walk(n - 1, &own);
  return own;
}
int main(void) {
  if (walk(in() & 3, 0) == 5)
    target();
  return 0;
}
