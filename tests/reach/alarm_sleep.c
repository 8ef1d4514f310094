// INPUT 3
#include "target.h"
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t flag;
static void h(int s) {
  flag = 1;
}
int main(void) {
  signal(SIGALRM, h);
  alarm(1);
  if (in() != 3)
    return 0;
  sleep(2);
  if (flag)
    target();
  return 0;
}
