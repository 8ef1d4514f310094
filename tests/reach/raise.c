// INPUT 3
#include "target.h"
#include <signal.h>
static volatile sig_atomic_t flag;
static void h(int s) {
  flag = s;
}
int main(void) {
  signal(SIGUSR1, h);
  flag = 0;
  if (in() == 3)
    raise(SIGUSR1);
  if (flag == SIGUSR1)
    target();
  return 0;
}
