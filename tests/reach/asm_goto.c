// INPUT 1
#include "target.h"
int main(void) {
  int x = in();
  __asm__ goto("cmpl $1, %0\n je %l1" ::"r"(x) : "cc" : hit);
  return 0;
hit:
  target();
  return 0;
}
