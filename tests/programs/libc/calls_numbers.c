// System calls on numbers, which are input: what they return, and how they fail, is the same natively.
//! exits: 0
//! complete: yes
#define _GNU_SOURCE
#include <errno.h>
#include <klee/klee.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

volatile int seen;

static void observe(long result) {
  if (result == -1) {
    switch (errno) {
      case EINVAL: seen = 1; break;
      case ESRCH: seen = 2; break;
      case EPERM: seen = 3; break;
      case EACCES: seen = 4; break;
      case EBADF: seen = 5; break;
      case ENOMEM: seen = 6; break;
      default: seen = 7;
    }
  } else if (result == 0) {
    seen = 8;
  } else if (result == 1) {
    seen = 9;
  } else if (result < 10) {
    seen = 10;
  } else if (result == 1000) {
    seen = 11;
  }
}

static void ignore(int signal) { seen = signal; }

int main(void) {
  int call = klee_range(0, 13, "call"), number = klee_range(-1, 5, "number");
  struct timespec time = {0, 0};
  struct rlimit limit = {0, 0};
  struct rusage usage;
  struct itimerval timer;
  struct sigaction action = {.sa_handler = ignore};
  sigset_t set;
  sigemptyset(&set);
  switch (call) {
    case 0: observe(clock_gettime(number, &time) == 0 ? time.tv_sec == 1700000000 : -1); break;
    case 1: observe(clock_getres(number, &time)); break;
    case 2: observe(getrlimit((unsigned)number * 5, &limit) == 0 ? limit.rlim_cur == 256 : -1); break;
    case 3: observe(getrusage(number, &usage)); break;
    case 4: observe(getitimer(number, &timer)); break;
    case 5: observe(sigaction(number * 16, &action, NULL)); break;
    case 6: observe(sigprocmask(number, &set, NULL)); break;
    case 7: observe(kill(number == 3 ? getpid() : 99999, 0)); break;
    case 8: observe(getpgid(number)); break;
    case 9: observe(setuid(number == 2 ? getuid() : (uid_t)number)); break;
    case 10: observe(getpriority(number, 0)); break;
    case 11: observe(sysconf(number == 0 ? _SC_PAGESIZE : number == 1 ? _SC_OPEN_MAX : _SC_NPROCESSORS_ONLN) == 1); break;
    case 12: {
      char *memory = mmap(NULL, (size_t)(number < 0 ? 0 : number) * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      observe(memory == MAP_FAILED ? -1 : memory[0]);
      if (memory != MAP_FAILED) observe(munmap(memory, (size_t)number * 4096));
      break;
    }
  }
  return 0;
}
