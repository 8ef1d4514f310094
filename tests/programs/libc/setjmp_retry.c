// A loop of tries around setjmp; longjmp with 0 is seen as 1.
//! exits: 0 3
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf env;
static volatile int tries;

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int code = setjmp(env);
  if (code > 1)
    return 9;
  tries++;
  if (x == 0xf0 && tries < 3)
    longjmp(env, 0);
  return tries == 3 ? 3 : 0;
}
