// Blocks are freed and others allocated; each keeps its content.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char which;
  klee_make_symbolic(&which, sizeof which, "which");
  int *p[4];
  for (int i = 0; i < 4; i++) {
    p[i] = malloc(sizeof(int));
    *p[i] = i;
  }
  int k = which & 3;
  for (int i = 0; i < 4; i++) {
    if (i == k) {
      free(p[i]);
      p[i] = malloc(sizeof(int));
      *p[i] = 100;
    }
  }
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += *p[i];
    free(p[i]);
  }
  klee_assert(sum == 106 - k);
  return 0;
}
