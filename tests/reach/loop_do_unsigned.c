// INPUT 0
#include "target.h"
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  int c = 0;
  do {
    c++;
  } while (--n);
  if (c == 256)
    target();
  return 0;
}
