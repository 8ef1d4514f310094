// Functions are passed, returned and compared.
//! exits: 0 1
#include <klee/klee.h>

typedef int (*op)(int, int);

__attribute__((noinline)) int add(int a, int b) { return a + b; }
__attribute__((noinline)) int subtract(int a, int b) { return a - b; }

__attribute__((noinline)) op choose(int minus) { return minus ? subtract : add; }
__attribute__((noinline)) int apply(op f, int a, int b) { return f(a, b); }

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  op f = choose(x < 0);
  if ((f == subtract) != (x < 0))
    return 2;
  int r = apply(f, 5, x);
  if (r < 5)
    return 3;
  if (r == 50)
    return 1;
  return 0;
}
