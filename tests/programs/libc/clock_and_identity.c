// Clocks stand still, and the program is always the same process of the same user.
//! exits: 0
//! complete: yes
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec now, later;
  struct timeval day;
  struct utsname names;
  struct rlimit limit;
  char host[20];
  if (time(NULL) != 1700000000 || clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 1;
  if (sleep(2) != 0 || clock_gettime(CLOCK_MONOTONIC, &later) != 0 || later.tv_sec != now.tv_sec) return 2;
  if (gettimeofday(&day, NULL) != 0 || day.tv_sec != time(NULL) || clock() != 10000) return 3;
  if (getpid() == getppid() || getuid() != 1000 || geteuid() != 1000 || getegid() != getgid()) return 4;
  if (uname(&names) != 0 || strcmp(names.nodename, "localhost") != 0 || strcmp(names.sysname, "Linux") != 0) return 5;
  if (gethostname(host, sizeof host) != 0 || strcmp(host, names.nodename) != 0) return 6;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur != 256 || sysconf(_SC_OPEN_MAX) != 256) return 7;
  if (kill(getpid(), 0) != 0 || kill(1, 0) != -1 || errno != ESRCH) return 8;
  if (alarm(1) != 0 || setuid(1000) != 0 || setuid(0) != -1 || errno != EPERM) return 9;
  if (sysconf(_SC_NPROCESSORS_ONLN) != 1) return 10;
  return 0;
}
