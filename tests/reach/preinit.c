// INPUT
#include "target.h"
static int s;
__attribute__((constructor(101))) static void a(void) {
  s = s * 10 + 1;
}
static void c(void) {
  s = s * 10 + 3;
}
__attribute__((section(".preinit_array"), used)) static void (*entry)(void) = c;
int main(void) {
  if (s == 31)
    target();
  return 0;
}
