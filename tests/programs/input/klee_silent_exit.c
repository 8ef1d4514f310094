// `klee_silent_exit` ends a path without a result.
//! exits: 0
//! paths: 1
//! assumed: yes
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 128)
    klee_silent_exit(3);
  return 0;
}
