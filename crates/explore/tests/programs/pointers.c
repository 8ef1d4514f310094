// Calls one of three functions through a pointer; the second has two paths.
#include <klee/klee.h>

static int one(int x) { return x; }
static int two(int x) {
  if (x > 50)
    return 2;
  return 3;
}
static int three(int x) { return x + 1; }

int main(void) {
  static int (*const table[])(int) = {one, two, three};
  unsigned char which, x;
  klee_make_symbolic(&which, sizeof which, "which");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(which < 3);
  return table[which](x);
}
