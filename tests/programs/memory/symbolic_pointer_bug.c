// A symbolic pointer may point to a freed object among living ones.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 3);
  char *p[3];
  for (int k = 0; k < 3; k++) {
    p[k] = malloc(8);
    p[k][0] = 'p';
  }
  free(p[1]);
  volatile char *q = p[i];
  q[0] = 'q'; //~ BUG use-after-free
  free(p[0]);
  free(p[2]);
  return 0;
}
