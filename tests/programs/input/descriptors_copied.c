// Descriptors that refer to the same open file share its position; pipes keep what is written to them.
//! args: --sym-stdin 2
//! exits: 0 1
//! complete: yes
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char c = 0, d = 0;
  int copy = dup(0), ends[2];
  if (copy != 3 || read(0, &c, 1) != 1 || lseek(copy, 0, SEEK_CUR) != 1) return 90;
  if (fcntl(copy, F_GETFD) != 0 || fcntl(copy, F_SETFD, FD_CLOEXEC) != 0 || fcntl(copy, F_GETFD) != FD_CLOEXEC) return 91;
  if (fcntl(0, F_DUPFD, 10) != 10 || close(0) != 0 || read(10, &d, 1) != 1 || read(copy, &d, 1) != 0) return 92;
  if (pipe(ends) != 0 || ends[0] != 0 || ends[1] != 4 || write(ends[1], &d, 1) != 1) return 93;
  struct pollfd list[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
  if (poll(list, 2, -1) != 2 || list[0].revents != POLLIN || list[1].revents != POLLOUT) return 94;
  if (close(ends[1]) != 0 || read(ends[0], &c, 1) != 1 || read(ends[0], &c, 1) != 0 || c != d) return 95;
  if (lseek(ends[0], 0, SEEK_SET) != -1 || errno != ESPIPE) return 96;
  int file = open("log", O_RDWR | O_CREAT | O_APPEND, 0600);
  if (dup2(file, 1) != 1) return 97;
  printf("%d", d);
  fflush(stdout);
  if (lseek(file, 0, SEEK_SET) != 0 || read(file, &c, 1) != 1) return 98;
  if ((fcntl(file, F_GETFL) & O_APPEND) == 0 || fcntl(file, F_SETFL, 0) != 0 || (fcntl(file, F_GETFL) & O_APPEND)) return 99;
  if (c == '-') return 1;
  return 0;
}
