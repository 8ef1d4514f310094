// A jump out of a handler unblocks the signal again, unless it was blocked before or the mask was not saved.
//! args: --sym-stdin 1
//! exits: 0 1
//! complete: yes
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf place;
static volatile int count;

static void handle(int signal) {
  count++;
  siglongjmp(place, signal);
}

static int is_blocked(void) {
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  return sigismember(&blocked, SIGUSR1);
}

int main(void) {
  sigset_t one;
  signal(SIGUSR1, handle);
  if (sigsetjmp(place, 1) == 0) {
    raise(SIGUSR1);
    return 2;
  }
  if (is_blocked() || count != 1) return 3;
  if (sigsetjmp(place, 1) == 0) raise(SIGUSR1);
  if (is_blocked() || count != 2) return 4;
  int saves = getchar() == 'x';
  if (sigsetjmp(place, saves) == 0) raise(SIGUSR1);
  if (is_blocked() == saves || count != 3) return 5;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, NULL);
  if (sigsetjmp(place, 1) == 0) {
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    siglongjmp(place, 1);
  }
  return is_blocked() ? saves : 6;
}
