// INPUT 16777216
#include "target.h"
int main(void) {
  float f = __VERIFIER_nondet_float();
  if (f > 0 && f < 1e30f && f + 1.0f == f)
    target();
  return 0;
}
