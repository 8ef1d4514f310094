// Unsigned arithmetic that wraps round is not signed overflow, though a check for it can be asked for.
//! args: --cflag -fsanitize=unsigned-integer-overflow,implicit-conversion
//! exits-some: 0
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x + 7 == 3) //~ BUG undefined-behaviour
    return 1;
  volatile unsigned char low = x; //~ BUG undefined-behaviour
  return 0;
}
