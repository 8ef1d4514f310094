// INPUT 1e20
#include "target.h"
int main(void) {
  double d = __VERIFIER_nondet_double();
  if (d > 1e19)
    if ((int)d == (int)0x80000000)
      target();
  return 0;
}
