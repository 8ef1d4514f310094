// INPUT 3
#include "target.h"
#include <string.h>
int main(void) {
  char b[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 8)
    return 0;
  memset(b, 2, n);
  if (b[2] == 2 && b[3] == 1)
    target();
  return 0;
}
