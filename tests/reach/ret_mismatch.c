// INPUT 3
#include "target.h"
static int f(int x) {
  return x + 2;
}
int main(void) {
  void (*p)(int) = (void (*)(int))f;
  int (*q)(int) = (int (*)(int))p;
  if (q(in()) == 5)
    target();
  return 0;
}
