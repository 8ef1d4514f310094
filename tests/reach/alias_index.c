// INPUT 2,2
#include "target.h"
static int a[4];
int main(void) {
  unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
  if (i > 3 || j > 3)
    return 0;
  a[i] = 5;
  a[j] = 6;
  if (a[i] == 6)
    target();
  return 0;
}
