// Two names for one variable and for one function; a weak definition and an undefined weak symbol.
//! exits: 0 1
#include <klee/klee.h>

volatile int original = 5;
extern volatile int other __attribute__((alias("original")));

int twice(int x) { return 2 * x; }
int two_times(int x) __attribute__((alias("twice")));
__attribute__((weak)) int weak(int x) { return x + 1; }
extern int nowhere(void) __attribute__((weak));

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  other = x;
  if (original != x || two_times(x) != twice(original) || weak(1) != 2)
    return 2;
  if (nowhere)
    return nowhere();
  if (original == 33)
    return 1;
  return 0;
}
