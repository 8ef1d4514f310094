// INPUT 5
#include "target.h"
static int mix(int *a, int *b) {
  *a = 1;
  *b = 2;
  return *a;
}
int main(void) {
  int x = 0, y = 0;
  if (mix(&x, in() == 5 ? &x : &y) == 2)
    target();
  return 0;
}
