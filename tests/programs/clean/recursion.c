// Recursive functions: factorial, Fibonacci, Ackermann, mutual recursion.
//! exits: 0
#include <klee/klee.h>

static unsigned factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }
static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
  int n = klee_range(0, 6, "n");
  static const unsigned f[] = {1, 1, 2, 6, 24, 120}, g[] = {0, 1, 1, 2, 3, 5};
  if (factorial(n) != f[n] || fibonacci(n) != g[n])
    return 1;
  if (even(n) == odd(n))
    return 2;
  return ackermann(2, 3) == 9 ? 0 : 3;
}
