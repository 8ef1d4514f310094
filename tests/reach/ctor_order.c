// INPUT
#include "target.h"
static int s;
__attribute__((constructor(102))) static void b(void) {
  s = s * 10 + 2;
}
__attribute__((constructor(101))) static void a(void) {
  s = s * 10 + 1;
}
static void c(void) {
  s = s * 10 + 3;
}
__attribute__((section(".init_array.00103"), used)) static void (*entry)(void) = c;
int main(void) {
  if (s == 123)
    target();
  return 0;
}
