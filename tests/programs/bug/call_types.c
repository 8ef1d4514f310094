// Calls that pass nothing where a function looks for a parameter.
#include <klee/klee.h>

__attribute__((noinline)) int sum(int a, int b) { return a + b; }
__attribute__((noinline)) double root(double x) { return x / 2; }

typedef int (*any)();

int main(void) {
  int x = klee_int("x");
  int (*volatile few)(int) = (int (*)(int))(any)sum;
  double (*volatile other)(int) = (double (*)(int))(any)root;
  if (x == 1)
    return few(x); //~ BUG bad-call
  if (x == 2)
    return (int)other(x); //~ BUG bad-call
  return 0;
}
