// Checks of UBSan's that stop the program without a word.
//! args: --cflag -fsanitize=undefined --cflag -fsanitize-trap=undefined
//! exits-some: 0
#include <klee/klee.h>

int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  volatile int sum = x + y; //~ BUG abort
  return 0;
}
