// An early return forgets to free the block.
//! args: --check leak
//! exits-some: 0 1
#include <klee/klee.h>
#include <stdlib.h>

__attribute__((noinline, optnone)) int work(int x) {
  volatile char *p = malloc(10); //~ BUG leak
  p[0] = 1;
  if (x == 5)
    return 1;
  free((void *)p);
  return 0;
}

int main(void) { return work(klee_int("x")); }
