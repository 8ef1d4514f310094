// Division by a float never traps; zero gives infinity.
//! exits-some: 0 1 2
#include <klee/klee.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  float q = 16.0f / (float)n;
  if (q > 1000.0f)
    return n == 0 ? 1 : 3;
  return q == 2.0f ? 2 : 0;
}
