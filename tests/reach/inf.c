// INPUT 1e308
#include "target.h"
int main(void) {
  double d = __VERIFIER_nondet_double();
  double e = d * 10;
  if (d < 1.7e308 && e > 1.7e308 && e - e != 0)
    target();
  return 0;
}
