// INPUT 1e-310
#include "target.h"
int main(void) {
  double d = __VERIFIER_nondet_double();
  if (d > 0 && d / 2 * 2 != d)
    target();
  else if (d > 0 && d < 1e-309 && d * 1e-10 < 5e-320)
    target();
  return 0;
}
