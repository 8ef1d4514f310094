// INPUT 1073741824
#include "target.h"
static char m[64];
static char n[64];
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned i = x * 4u;
  if (i < 16) {
    m[i] = 1;
    if (x > 100 && m[0] == 1)
      target();
  }
  return n[0];
}
