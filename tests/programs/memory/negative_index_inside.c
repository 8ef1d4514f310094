// Negative indices are fine while they stay in the object.
//! exits: 0 1
//! paths[O0]: 4
#include <klee/klee.h>

static int a[7] = {1, 2, 3, 4, 5, 6, 7};

int main(void) {
  int i = klee_int("i");
  if (i < -3 || i > 3)
    return 0;
  int *middle = a + 3;
  if (middle[i] == 2)
    return 1;
  return 0;
}
