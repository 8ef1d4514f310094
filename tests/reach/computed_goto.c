// INPUT 1
#include "target.h"
int main(void) {
  static void *t[] = {&&a, &&b};
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 1)
    return 0;
  int x = 0;
  goto *t[i];
b:
  x = 5;
a:
  if (x == 5)
    target();
  return 0;
}
