// INPUT 200
#include "target.h"
static const unsigned char t[256] = {['a'] = 1, ['b'] = 2, [200] = 3};
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  if (t[c] == 3)
    target();
  return 0;
}
