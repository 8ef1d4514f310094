// A block of `malloc` is read before every byte has been written.
//! args: --check uninit
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

volatile int hits;

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n > 4)
    return 0;
  volatile char *p = malloc(4);
  for (int i = 0; i < n; i++)
    p[i] = 'a';
  if (p[3] == 'a') //~ BUG uninitialised
    hits++;
  free((void *)p);
  return 0;
}
