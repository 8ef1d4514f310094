// Exceptions by setjmp and longjmp, nested and thrown again.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf *handler;

static void fail(int code) { longjmp(*handler, code); }

static int guarded(int depth, int code) {
  jmp_buf here, *outer = handler;
  handler = &here;
  volatile int entered = depth;
  int caught = setjmp(here);
  if (caught == 0) {
    if (depth == 0)
      fail(code);
    guarded(depth - 1, code);
    handler = outer;
    return 0;
  }
  printf("depth %d caught %d\n", entered, caught);
  handler = outer;
  if (caught > 1 && outer)
    fail(caught - 1);
  return caught;
}

int main(void) {
  for (int code = 1; code < 6; code++)
    printf("= %d\n", guarded(3, code));
  jmp_buf env;
  volatile int n = 0;
  if (setjmp(env) < 3 && n < 5) {
    n++;
    printf("again %d\n", n);
    longjmp(env, n);
  }
  return n;
}
