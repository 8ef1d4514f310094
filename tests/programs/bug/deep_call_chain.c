// The bug lies several calls deep; its line is that of the innermost function.
//! exits-some: 0 1
#include <assert.h>
#include <klee/klee.h>

__attribute__((noinline)) int level3(int x) {
  assert(x != 77); //~ BUG assertion
  return x > 50;
}
__attribute__((noinline)) int level2(int x) { return level3(x + 3) != 0; }
__attribute__((noinline)) int level1(int x) { return level2(x * 2); }

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  return level1(x);
}
