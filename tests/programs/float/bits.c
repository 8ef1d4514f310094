// The bits of a float through a union and through memcpy.
//! exits: 0 1 2
#include <klee/klee.h>
#include <string.h>

int main(void) {
  union {
    float f;
    unsigned u;
  } v;
  klee_make_symbolic(&v, sizeof v, "v");
  unsigned bits;
  memcpy(&bits, &v.f, sizeof bits);
  klee_assert(bits == v.u);
  if (v.f == 1.0f)
    return v.u == 0x3f800000 ? 1 : 3;
  if ((v.u >> 23 & 0xff) == 0xff)
    return 2;
  return 0;
}
