// INPUT -1
#include "target.h"
#include <errno.h>
#include <math.h>
int main(void) {
  errno = 0;
  double y = log(__VERIFIER_nondet_double());
  if (errno == EDOM)
    target();
  return y > 5;
}
