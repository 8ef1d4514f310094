// INPUT 1
#include "target.h"
__attribute__((used)) void callee(void) {
  target();
}
__asm__(".text\n.globl tramp\ntramp: jmp callee\n");
void tramp(void);
int main(void) {
  if (in() == 1)
    tramp();
  return 0;
}
