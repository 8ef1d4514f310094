// `-fsanitize=undefined`: every error has its kind, and calls through pointers are none.
//! args: --cflag -fsanitize=undefined
//! exits-some: 0
//! levels: O0
// (An optimiser knows some of these errors beforehand.)
#include <klee/klee.h>
#include <limits.h>

static int twice(int x) { return x > 1000 || x < -1000 ? 0 : 2 * x; }
int (*volatile call)(int) = twice;
int table[4];
struct pair { int a, b; };

int main(void) {
  int op, x, y;
  klee_make_symbolic(&op, sizeof op, "op");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  struct pair *pointer = x == 1 ? 0 : (struct pair *)table;
  char *misaligned = (char *)table + (x & 1);
  switch (op) {
  case 0:
    return x / y == 5; //~ BUG division-by-zero //~ BUG division-overflow
  case 1:
    return x + y == 5; //~ BUG signed-overflow
  case 2:
    return 1 << x == 5; //~ BUG shift-out-of-range
  case 3:
    return pointer->b; //~ BUG null-pointer
  case 4:
    return *(int *)misaligned; //~ BUG undefined-behaviour
  case 5:
    return table[y & 7]; //~ BUG undefined-behaviour
  case 6: {
    int length = x & 1;
    volatile char text[length]; //~ BUG undefined-behaviour
    text[0] = 1;
    return text[0] - 1;
  }
  case 7:
    return -x == 5; //~ BUG signed-overflow
  }
  return call(x) == 5;
}
