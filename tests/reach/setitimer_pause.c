// INPUT 1
#include "target.h"
#include <signal.h>
#include <unistd.h>
static volatile int flag;
static void h(int s) {
  flag = s;
}
int main(void) {
  signal(SIGALRM, h);
  if (in() == 1) {
    alarm(1);
    pause();
  }
  if (flag)
    target();
  return 0;
}
