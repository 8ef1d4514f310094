// INPUT 1
#include "target.h"
#include <stdint.h>
static long a __attribute__((aligned(16))), b __attribute__((aligned(16)));
int main(void) {
  unsigned long c = (uintptr_t)(in() == 1 ? &b : &a) >> 4;
  long *p = (long *)(c << 4);
  *p = 4;
  if (b == 4)
    target();
  return 0;
}
