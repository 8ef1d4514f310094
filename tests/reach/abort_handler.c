// INPUT 1
#include "target.h"
#include <stdlib.h>
#include <signal.h>
static void h(int s) {
  target();
  _Exit(1);
}
int main(void) {
  signal(SIGABRT, h);
  if (in() == 1)
    abort();
  return 0;
}
