// INPUT nan
#include "target.h"
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x != x)
    if (!(x < 0) && !(x >= 0))
      target();
  return 0;
}
