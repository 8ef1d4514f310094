// INPUT 1
#include "target.h"
#include <stdint.h>
static int a, b;
int main(void) {
  uintptr_t x = (uintptr_t)&a ^ (uintptr_t)&b;
  int *p = in() == 1 ? (int *)(x ^ (uintptr_t)&a) : &a;
  *p = 4;
  if (b == 4)
    target();
  return 0;
}
