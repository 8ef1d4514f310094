// INPUT 1
#include "target.h"
static void *buf[5];
__attribute__((noinline)) static void jump(int x) {
  if (x == 1)
    __builtin_longjmp(buf, 1);
}
int main(void) {
  if (__builtin_setjmp(buf)) {
    target();
    return 0;
  }
  jump(in());
  return 0;
}
