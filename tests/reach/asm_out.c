// INPUT 41
#include "target.h"
int main(void) {
  int x = in(), y;
  __asm__("leal 1(%1), %0" : "=r"(y) : "r"(x));
  if (y == 42)
    target();
  return 0;
}
