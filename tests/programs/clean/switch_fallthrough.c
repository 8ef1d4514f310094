// Arms that fall through add up.
//! exits: 0 1 3 7
//! paths[O0]: 4
//! branches[O0]: all
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile int r = 0;
  switch (x) {
  case 3:
    r += 4; /* fall through */
  case 2:
    r += 2; /* fall through */
  case 1:
    r += 1;
  }
  return r;
}
