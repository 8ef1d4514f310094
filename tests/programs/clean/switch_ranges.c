// GNU case ranges and several labels for one arm.
//! exits: 0 1 2 3
//! branches[O0]: all
#include <klee/klee.h>

volatile int kind;

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  switch (c) {
  case '0' ... '9':
    kind = 1;
    break;
  case 'a' ... 'z':
  case 'A' ... 'Z':
  case '_':
    kind = 2;
    break;
  case ' ':
  case '\t':
  case '\n':
    kind = 3;
    break;
  default:
    kind = 0;
  }
  return kind;
}
