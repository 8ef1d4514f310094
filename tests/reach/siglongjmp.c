// INPUT 0
#include "target.h"
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf b;
static void h(int s) {
  siglongjmp(b, s);
}
int main(void) {
  signal(SIGFPE, h);
  if (sigsetjmp(b, 1)) {
    target();
    return 0;
  }
  volatile int z = in();
  volatile int r = 3 / z;
  return r;
}
