// INPUT 250
#include "target.h"
int main(void) {
  unsigned char s = __VERIFIER_nondet_uchar();
  int n = 0;
  for (unsigned char i = s; i >= 250 || i < 3; i++)
    n++;
  if (n == 9)
    target();
  return 0;
}
