// The largest of three; optimised, without any branch.
//! exits: 0
#include <assert.h>
#include <klee/klee.h>

static int max(int a, int b) { return a > b ? a : b; }

int main(void) {
  int a = klee_int("a"), b = klee_int("b"), c = klee_int("c");
  int m = max(a, max(b, c));
  assert(m >= a && m >= b && m >= c);
  assert(m == a || m == b || m == c);
  return 0;
}
