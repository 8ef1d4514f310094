// INPUT 1
#include "target.h"
static int a[8];
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 3)
    return 0;
  a[4u + (0u - i)] = 7;
  if (a[3] == 7)
    target();
  return 0;
}
