// Conditions that contradict earlier ones: no input goes there.
//! exits: 0 1
//! paths[O0]: 3
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 10) {
    if (x < 5)
      return 2;
    if (x % 2 == 0 && (x & 1) == 1)
      return 3;
    return 1;
  }
  if (x * 3 == 100)
    return 4;
  if ((x ^ 0xff) < 16)
    return 5;
  return 0;
}
