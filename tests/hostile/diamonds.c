// Two to the power of sixty-four paths.
#include <klee/klee.h>
int main(void) {
  unsigned long x;
  int bits = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  for (int i = 0; i < 64; i++)
    if (x >> i & 1) bits++;
  return bits;
}
