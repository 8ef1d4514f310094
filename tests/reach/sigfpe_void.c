// INPUT 0
#include "target.h"
#include <signal.h>
#include <stdlib.h>
static void h(void) {
  target();
  exit(0);
}
int main(void) {
  signal(SIGFPE, (void (*)(int))h);
  volatile int z = in();
  volatile int r = 1 / z;
  return r;
}
