// INPUT 33
#include "target.h"
int main(void) {
  unsigned y = __VERIFIER_nondet_uint();
  if (y == 33)
    if ((1u << y) == 2)
      target();
  return 0;
}
