// The same name is used three times: each call is an object of its own.
//! exits: 0 1
//! paths[O0]: 4
#include <klee/klee.h>

int main(void) {
  int found = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x != 'a' + i)
      return 0;
    found++;
  }
  return found == 3;
}
