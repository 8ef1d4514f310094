// `-fexceptions` makes calls that know what to clean up if the callee throws; nobody does.
//! args: --cflag -fexceptions
//! exits-some: 5 6 7
#include <klee/klee.h>

__attribute__((noinline)) int is_three(int x) { return x == 3; }
int (*volatile call)(int) = is_three;
int cleaned;

static void clean(int *guard) { cleaned = *guard; }

__attribute__((noinline)) int body(int x) {
  int guard __attribute__((cleanup(clean))) = 5;
  if (call(x))
    return 2;
  return call(x + 1) == 1;
}

int main(void) {
  int x = klee_int("x");
  int result = body(x);
  return result + cleaned;
}
