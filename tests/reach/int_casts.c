// INPUT -1
#include "target.h"
int main(void) {
  short s = __VERIFIER_nondet_short();
  unsigned u = s;
  unsigned long l = (unsigned char)s;
  if (u == 0xffffffffu && l == 255 && (signed char)l == -1 && (char)u < 0)
    target();
  return 0;
}
