// INPUT 49,50
#include "target.h"
#include <stdlib.h>
int main(void) {
  char b[3] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0};
  if (strtol(b, 0, 10) == 12)
    target();
  return 0;
}
