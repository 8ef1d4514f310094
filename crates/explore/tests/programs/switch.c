// Six paths: two through the first pair of cases, one for each other case, and two through the default.
#include <klee/klee.h>

volatile int sink;

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x) {
  case 10:
  case 11:
    if (x & 1)
      return 1;
    return 2;
  case 20:
    return 3;
  case 255:
    sink = 1;
    return 4;
  default:
    if (x > 100)
      return 5;
    return 6;
  }
}
