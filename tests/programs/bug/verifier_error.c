// The older error function of SV-COMP.
//! exits: 0
#include <svcomp.h>

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  if (a * b == 221 && a > b && b > 1)
    __VERIFIER_error(); //~ BUG reach-error
  return 0;
}
