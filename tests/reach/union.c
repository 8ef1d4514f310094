// INPUT 1078530011
#include "target.h"
union u {
  float f;
  unsigned u;
  unsigned char b[4];
};
int main(void) {
  union u u;
  u.u = __VERIFIER_nondet_uint();
  if (u.f > 3.14f && u.f < 3.15f && u.b[3] == 0x40)
    target();
  return 0;
}
