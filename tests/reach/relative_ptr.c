// INPUT 1
#include "target.h"
#include <stdint.h>
static int a[4], b[4];
int main(void) {
  int *q = in() == 1 ? b : a;
  int32_t rel = (int32_t)((intptr_t)q - (intptr_t)a);
  int *p = (int *)((intptr_t)a + rel);
  *p = 9;
  if (b[0] == 9)
    target();
  return 0;
}
