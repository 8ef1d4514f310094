// INPUT 65
#include "target.h"
#include <unistd.h>
int main(void) {
  int fd[2];
  if (pipe(fd))
    return 1;
  char c = (char)in(), d = 0;
  if (write(fd[1], &c, 1) != 1)
    return 1;
  if (read(fd[0], &d, 1) != 1)
    return 1;
  if (d == 'A')
    target();
  return 0;
}
