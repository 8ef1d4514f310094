// Comparing by subtraction overflows.
//! args: --check overflow
//! exits: 0 1
#include <klee/klee.h>

__attribute__((noinline)) int compare(int a, int b) {
  return a - b; //~ BUG signed-overflow
}

int main(void) {
  int a = klee_int("a");
  klee_assume(a > 2147483000);
  if (compare(a, -100) < 2147483600)
    return 1;
  return 0;
}
