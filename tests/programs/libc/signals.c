// Handlers are called when the program sends itself a signal that is not blocked.
//! exits: 0
//! complete: yes
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int caught, nested;

static void note(int signal) {
  caught = caught * 100 + signal;
  if (signal == SIGUSR1 && nested++ == 0) raise(SIGUSR1);
}

static void detail(int signal, siginfo_t *info, void *context) { caught = info->si_signo == signal ? -1 : -2; }

int main(void) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  if (signal(SIGUSR1, note) != SIG_DFL || raise(SIGUSR1) != 0 || caught != 1010) return 1;
  if (signal(SIGUSR2, SIG_IGN) != SIG_DFL || raise(SIGUSR2) != 0 || signal(SIGUSR2, note) != SIG_IGN) return 2;
  sigset_t set, was;
  caught = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0 || kill(getpid(), SIGUSR2) != 0 || caught != 0) return 3;
  if (sigpending(&was) != 0 || !sigismember(&was, SIGUSR2)) return 4;
  if (sigprocmask(SIG_UNBLOCK, &set, &was) != 0 || caught != SIGUSR2 || !sigismember(&was, SIGUSR2)) return 5;
  action.sa_sigaction = detail;
  action.sa_flags = SA_SIGINFO | SA_RESETHAND;
  if (sigaction(SIGHUP, &action, &old) != 0 || raise(SIGHUP) != 0 || caught != -1) return 6;
  if (sigaction(SIGHUP, NULL, &old) != 0 || old.sa_handler != SIG_DFL) return 7;
  if (sigaction(SIGKILL, &action, NULL) != -1 || errno != EINVAL || raise(SIGCHLD) != 0) return 8;
  return 0;
}
