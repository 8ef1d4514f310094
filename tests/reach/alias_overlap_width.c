// INPUT 1
#include "target.h"
static unsigned char m[16];
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 4)
    return 0;
  *(unsigned *)(m + i) = 0x01020304;
  *(unsigned short *)(m + 2) = 0xbeef;
  if (*(unsigned *)(m + i) == 0x01beef04)
    target();
  return 0;
}
