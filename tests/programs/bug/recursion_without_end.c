// A recursion whose end is missed if the start is odd.
//! exits: 0
#include <klee/klee.h>

// clang-format off
__attribute__((noinline, optnone)) int down(int n) { return n == 0 ? 0 : 1 + down(n - 2); } //~ BUG stack-overflow
// clang-format on

volatile int depth;

int main(void) {
  int n = klee_range(0, 4, "n");
  switch (n) {
  case 2:
    depth = down(2);
    break;
  case 3:
    depth = down(3);
    break;
  }
  return 0;
}
