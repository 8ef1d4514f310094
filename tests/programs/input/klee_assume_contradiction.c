// An assumption that contradicts the path cuts it.
//! exits: 1
//! paths: 1
//! assumed: yes
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 5) {
    klee_assume(x != 5);
    return 9;
  }
  return 1;
}
