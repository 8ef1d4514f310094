// The classic: what kind of triangle do three sides make?
//! exits: 0 1 2 3
#include <klee/klee.h>

int main(void) {
  unsigned char a, b, c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  if (a == 0 || b == 0 || c == 0)
    return 0;
  if (a + b <= c || a + c <= b || b + c <= a)
    return 0;
  if (a == b && b == c)
    return 3;
  if (a == b || b == c || a == c)
    return 2;
  return 1;
}
