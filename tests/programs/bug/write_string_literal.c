// A string literal is changed through a pointer that hides that it is constant.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>

char buffer[8] = "buffer";

int main(void) {
  int constant = klee_int("constant");
  char *volatile p = buffer;
  if (constant == 3)
    p = (char *)"literal";
  *p = 'X'; //~ BUG read-only-write
  return 0;
}
