// A program waits for signals that it has sent to itself before, and learns how they were sent.
//! exits: 0 20
//! complete: yes
#include <errno.h>
#include <klee/klee.h>
#include <signal.h>
#include <unistd.h>

static volatile int caught, code;

static void note(int signal, siginfo_t *info, void *context) {
  caught = signal;
  code = info->si_code;
}

int main(void) {
  sigset_t all, none, set;
  sigfillset(&all);
  sigemptyset(&none);
  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGTERM, &action, 0);
  raise(SIGUSR1);
  if (caught != SIGUSR1 || code != SI_TKILL) return 1;
  kill(getpid(), SIGTERM);
  if (caught != SIGTERM || code != SI_USER) return 2;
  sigprocmask(SIG_BLOCK, &all, 0);
  raise(SIGUSR1);
  if (caught != SIGTERM) return 3;
  if (sigsuspend(&none) != -1 || errno != EINTR || caught != SIGUSR1) return 4;
  sigprocmask(SIG_BLOCK, 0, &set);
  if (!sigismember(&set, SIGUSR1)) return 5;
  /* The one that was sent, whichever it is. */
  int sent = klee_int("which") == 7 ? SIGUSR2 : SIGHUP, got;
  raise(sent);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGHUP);
  if (sigwait(&set, &got) != 0 || got != sent) return 6;
  siginfo_t info;
  struct timespec time = {0, 1000};
  if (sigtimedwait(&set, &info, &time) != -1 || errno != EAGAIN) return 7;
  kill(getpid(), SIGHUP);
  if (sigwaitinfo(&set, &info) != SIGHUP || info.si_code != SI_USER || info.si_signo != SIGHUP) return 8;
  if (sigpending(&set) != 0 || sigismember(&set, SIGHUP)) return 9;
  return sent == SIGUSR2 ? 20 : 0;
}
