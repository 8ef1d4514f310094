// An error jumps out of nested calls.
//! exits: 0 1 2
//! paths: 3
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf env;

__attribute__((noinline)) static void inner(int x) {
  if (x == 10)
    longjmp(env, 1);
  if (x == 20)
    longjmp(env, 2);
}

__attribute__((noinline)) static void outer(int x) { inner(x * 2); }

int main(void) {
  signed char x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (setjmp(env)) {
  case 0:
    outer(x);
    return 0;
  case 1:
    return 1;
  default:
    return 2;
  }
}
