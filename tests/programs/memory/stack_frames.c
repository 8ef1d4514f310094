// Every call has its own copy of the locals.
//! exits: 0
#include <klee/klee.h>

static int depth_sum(int n, const int *outer) {
  int mine = n * 10;
  if (outer)
    klee_assert(*outer == mine + 10);
  if (n == 0)
    return mine;
  int rest = depth_sum(n - 1, &mine);
  klee_assert(mine == n * 10);
  return mine + rest;
}

int main(void) {
  int n = klee_range(0, 5, "n");
  klee_assert(depth_sum(n, 0) == 5 * n * (n + 1));
  return 0;
}
