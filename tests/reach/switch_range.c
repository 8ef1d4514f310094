// INPUT -5
#include "target.h"
int main(void) {
  signed char c = __VERIFIER_nondet_char();
  int r = 0;
  switch (c) {
  case -5 ... - 3:
    r = 1;
  case 7:
    r += 2;
    break;
  default:
    r = 9;
  }
  if (r == 3)
    target();
  return 0;
}
