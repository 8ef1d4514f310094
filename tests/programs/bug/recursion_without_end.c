// A recursion whose end is missed if the start is odd.
//! exits: 0
#include <klee/klee.h>

// clang-format off
__attribute__((noinline, optnone)) int down(int n) { return n == 0 ? 0 : 1 + down(n - 2); } //~ BUG stack-overflow
// clang-format on

volatile int depth;

// Functions of their own keep an optimiser from passing `n` on.
__attribute__((noinline, optnone)) void even(void) { depth = down(2); }
__attribute__((noinline, optnone)) void odd(void) { depth = down(3); }

int main(void) {
  int n = klee_range(0, 4, "n");
  if (n == 2)
    even();
  if (n == 3)
    odd();
  return 0;
}
