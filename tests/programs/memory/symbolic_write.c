// A symbolic index writes; concrete reads see it.
//! exits: 0 1 2
//! paths[O0]: 4
#include <klee/klee.h>

int main(void) {
  int a[5] = {0, 0, 0, 0, 0};
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 5)
    return 0;
  a[i] = 9;
  klee_assert(a[0] + a[1] + a[2] + a[3] + a[4] == 9);
  if (a[3] == 9)
    return 1;
  if (a[0] == 9)
    return 2;
  return 0;
}
