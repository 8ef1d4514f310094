// Two symbolic indices meet.
//! exits: 0 1
#include <klee/klee.h>

int main(void) {
  unsigned char a[8] = {0}, i, j, v;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&v, sizeof v, "v");
  if (i >= 8 || j >= 8 || v == 0)
    return 0;
  a[i] = v;
  if (a[j] == v) {
    klee_assert(i == j);
    return 1;
  }
  klee_assert(a[j] == 0);
  return 0;
}
