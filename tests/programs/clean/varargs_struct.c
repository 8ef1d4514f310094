// Structures travel through variable arguments, in registers and in memory.
//! exits: 0 1
#include <klee/klee.h>
#include <stdarg.h>

struct small {
  int a, b;
};
struct big {
  long v[4];
};
struct mixed {
  double d;
  long l;
};

__attribute__((noinline)) long gather(int n, ...) {
  va_list ap;
  va_start(ap, n);
  struct small s = va_arg(ap, struct small);
  struct big b = va_arg(ap, struct big);
  struct mixed m = va_arg(ap, struct mixed);
  va_end(ap);
  return s.a + s.b + b.v[0] + b.v[3] + (long)m.d + m.l;
}

int main(void) {
  short x;
  klee_make_symbolic(&x, sizeof x, "x");
  struct small s = {x, 1};
  struct big b = {{10, 0, 0, 20}};
  struct mixed m = {100.0, 200};
  long sum = gather(3, s, b, m);
  if (sum != 331 + x)
    return 2;
  if (sum == 0)
    return 1;
  return 0;
}
