// Division by a float never traps; zero gives infinity.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  float q = 16.0f / (float)n;
  if (q > 1000.0f) {
    if (n == 0)
      return 1;
    return 3;
  }
  if (q == 2.0f)
    return 2;
  return 0;
}
