// INPUT 1
#include "target.h"
__attribute__((used)) static void callee(void) {
  target();
}
int main(void) {
  if (in() == 1)
    __asm__ volatile("subq $256, %%rsp\n call *%0\n addq $256, %%rsp" ::"r"(callee)
                     : "memory", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
  return 0;
}
