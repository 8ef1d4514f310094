// INPUT 2
#include "target.h"
static int m[3][4];
int main(void) {
  unsigned i = __VERIFIER_nondet_uint(), j;
  if (i > 2)
    return 0;
  int (*row)[4] = m + i;
  (*row)[3] = 6;
  j = 0;
  for (unsigned k = 0; k < 12; k++)
    if (((int *)m)[k] == 6)
      j = k;
  if (j == 11)
    target();
  return 0;
}
