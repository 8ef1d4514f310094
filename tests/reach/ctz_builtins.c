// INPUT 40
#include "target.h"
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x && __builtin_ctz(x) == 3 && __builtin_popcount(x) == 2 && __builtin_bswap32(x) == 0x28000000)
    target();
  return 0;
}
