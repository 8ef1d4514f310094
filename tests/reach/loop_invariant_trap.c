// INPUT 7
#include "target.h"
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 50)
    return 0;
  int a = 0, b = 1;
  for (unsigned i = 0; i < n; i++) {
    int t = a;
    a = b;
    b = t ^ 1;
  }
  if (a == 0 && b == 0 && n % 4 == 3)
    target();
  return 0;
}
