// INPUT 200
#include "target.h"
int main(void) {
  char c = (char)__VERIFIER_nondet_int();
  unsigned char u = (unsigned char)c;
  int i = c;
  if (u == 200 && i == -56 && c >> 1 == -28)
    target();
  return 0;
}
