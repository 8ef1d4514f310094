// Conversions to unsigned integers of several widths.
//! exits: 0 1 2 3
#include <klee/klee.h>

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (!(x >= 0.0f && x < 250.0f))
    return 0;
  unsigned char c = (unsigned char)x;
  unsigned u = (unsigned)x;
  unsigned long l = (unsigned long)x;
  if (c != u || u != l)
    return 9;
  if (c == 200)
    return 1;
  if (x - (float)c > 0.5f)
    return 2;
  return 3;
}
