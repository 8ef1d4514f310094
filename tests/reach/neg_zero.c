// INPUT -0.0
#include "target.h"
#include <math.h>
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x == 0 && 1 / x < 0)
    target();
  return 0;
}
