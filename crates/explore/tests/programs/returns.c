// Uncovered code is reached only after returning from two calls, through a pointer, or by a longjmp out of a call.
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf out;
static int (*chosen)(int);

static int plain(int x) { return x; }

static int twice(int x) {
  if (x > 50)
    return 2 * x;
  return x;
}

static int inner(unsigned char key) {
  if (key == 'a')
    return 1;
  if (key == 'b')
    longjmp(out, 1);
  return 0;
}

static int middle(unsigned char key) { return inner(key) + 1; }

int main(void) {
  unsigned char key, x;
  klee_make_symbolic(&key, sizeof key, "key");
  klee_make_symbolic(&x, sizeof x, "x");
  chosen = plain;
  if (setjmp(out)) {
    if (x == 3)
      return 5;
    return 4;
  }
  if (middle(key) == 2) {
    chosen = twice;
    if (x == 7)
      return 3;
  }
  return chosen(x);
}
