// A switch over neighbouring values.
//! exits: 0 10 11 12 13 14
//! paths[O0]: 6
//! branches[O0]: all
#include <klee/klee.h>

volatile int sink;

int main(void) {
  int x = klee_int("x");
  switch (x) {
  case 0:
    sink = 10;
    return 10;
  case 1:
    sink = 11;
    return 11;
  case 2:
    sink = 12;
    return 12;
  case 3:
    sink = 13;
    return 13;
  case 4:
    sink = 14;
    return 14;
  }
  return 0;
}
