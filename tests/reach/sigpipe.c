// INPUT 3
#include "target.h"
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t flag;
static void h(int s) {
  flag = 1;
}
int main(void) {
  int fd[2];
  signal(SIGPIPE, h);
  if (pipe(fd))
    return 1;
  close(fd[0]);
  if (in() != 3)
    return 0;
  if (write(fd[1], "x", 1) < 0 && flag)
    target();
  return 0;
}
