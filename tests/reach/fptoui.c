// INPUT -1
#include "target.h"
int main(void) {
  double d = __VERIFIER_nondet_double();
  if (d == -1)
    if ((unsigned)d == 0xffffffffu)
      target();
  return 0;
}
