// INPUT 3
#include "target.h"
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 10)
    return 0;
  unsigned long s = 0;
  for (unsigned i = n - 5; i > 0; i++)
    s++;
  if (n == 3 && s == 2)
    target();
  return 0;
}
