// Jumps forwards and backwards.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile int rounds = 0;
again:
  if (x > 100)
    goto large;
  if (x < 0)
    goto negative;
  goto end;
large:
  x -= 100;
  rounds++;
  goto again;
negative:
  return 2;
end:
  return rounds > 0;
}
