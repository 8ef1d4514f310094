// The only pointer to a block is overwritten.
//! args: --check leak
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

char *volatile current;

__attribute__((noinline, optnone)) void make(void) {
  current = malloc(24); //~ BUG leak
  current[0] = 0;
}

int main(void) {
  int n = klee_range(1, 3, "n");
  for (int i = 0; i < n; i++)
    make();
  free(current);
  return 0;
}
