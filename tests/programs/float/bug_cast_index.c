// A float becomes an index that is one too large for 1.0.
//! exits: 0 1
#include <klee/klee.h>

int table[4] = {1, 2, 3, 4};

int main(void) {
  float x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (!(x >= 0.0f && x <= 1.0f))
    return 1;
  int i = (int)(x * 4.0f);
  volatile int *t = table;
  int v = t[i]; //~ BUG out-of-bounds-read
  return v == 0;
}
