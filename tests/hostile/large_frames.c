// A recursion whose variables are large.
#include <klee/klee.h>
static int down(int n) {
  volatile char large[1 << 20];
  large[n & 1023] = (char)n;
  return klee_int("x") == n ? large[5] : down(n + 1) + large[7];
}
int main(void) { return down(0); }
