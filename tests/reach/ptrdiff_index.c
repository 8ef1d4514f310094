// INPUT 1
#include "target.h"
static int a[4], b[4];
int main(void) {
  int *q = in() == 1 ? &b[1] : &a[1];
  long d = q - a;
  a[d] = 7;
  if (b[1] == 7)
    target();
  return 0;
}
