// INPUT 1000000000000,1000000000000
#include "target.h"
int main(void) {
  unsigned __int128 a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
  unsigned __int128 c = a * b;
  if ((unsigned long)(c >> 64) == 54210 && a == b)
    target();
  return 0;
}
