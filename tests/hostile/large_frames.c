// A recursion whose variables are large: the stack is nearly full on each of its 2^50 paths.
#include <klee/klee.h>
static int down(int n) {
  volatile char large[140 << 10];
  large[n & 1023] = (char)n;
  if (n == 50) return large[1];
  if (klee_int("x") > n) large[n & 511] = 7;
  return down(n + 1) + large[7];
}
int main(void) { return down(0); }
