// INPUT 1
#include "target.h"
static int g;
int main(void) {
  int x = in();
  __asm__ volatile("movl %1, %0" : "=m"(g) : "r"(x));
  if (g == 1)
    target();
  return 0;
}
