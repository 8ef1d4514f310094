// INPUT 1
#include "target.h"
#include <signal.h>
#include <stdlib.h>
static int *p;
static void h(int s) {
  target();
  _Exit(0);
}
typedef void (*handler)(int);
static handler (*install)(int, handler) = signal;
int main(void) {
  install(SIGSEGV, h);
  if (in() == 1)
    *p = 3;
  return 0;
}
