// A switch over values that are far apart, some negative.
//! exits: 0 1 2 3 4
//! paths[O0]: 5
#include <klee/klee.h>

int main(void) {
  long x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile int r = 0;
  switch (x) {
  case -1000000000000:
    r = 1;
    break;
  case -7:
    r = 2;
    break;
  case 123456789:
    r = 3;
    break;
  case 0x7fffffffffffffff:
    r = 4;
    break;
  }
  return r;
}
