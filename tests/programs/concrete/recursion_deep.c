// Deep recursion, mutual recursion and recursion with large frames.
#include <stdio.h>

static int depth(int n) {
  volatile char pad[64];
  pad[n & 63] = (char)n;
  return n == 0 ? pad[0] : 1 + depth(n - 1);
}
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static unsigned ackermann(unsigned m, unsigned n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int mccarthy(int n) { return n > 100 ? n - 10 : mccarthy(mccarthy(n + 11)); }
static unsigned long hofstadter(int n) { return n < 3 ? 1 : hofstadter(n - (int)hofstadter(n - 1)) + hofstadter(n - (int)hofstadter(n - 2)); }

int main(void) {
  printf("%d\n", depth(5000));
  printf("%d %d\n", even(3001), odd(3001));
  printf("%u %u\n", ackermann(2, 9), ackermann(3, 3));
  printf("%d %d\n", mccarthy(1), mccarthy(150));
  printf("%lu\n", hofstadter(15));
  return mccarthy(50);
}
