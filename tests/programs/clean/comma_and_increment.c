// Order of side effects: comma, increments, compound assignment.
//! exits: 0 1
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int a[4] = {1, 2, 3, 4};
  int *p = a;
  int first = *p++;
  int second = *++p;
  int i = 0;
  i += (first++, second--, first + second);
  if (first != 2 || second != 2 || i != 4 || p != a + 2)
    return 2;
  int y = x;
  y <<= 1, y |= 1, y ^= 0x101, y -= 0x100 & ~y;
  if (y-- == 0x1c0 || ++y == -2)
    return 1;
  return 0;
}
