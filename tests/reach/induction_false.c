// INPUT 1,0,1,0
#include "target.h"
static int a, b, c;
int main(void) {
  for (int i = 0; i < 6; i++) {
    int x = __VERIFIER_nondet_uchar();
    if (c)
      target();
    if (b && x == 1)
      c = 1;
    b = a;
    a = x == 1;
    if (i == 5)
      break;
  }
  return 0;
}
