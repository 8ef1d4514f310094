/* Signals. Nothing comes from outside, so the only ones are those that a program sends to itself: they are delivered
 * here, by calling the handler. What a signal does that has none is up to the machine. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* It redefines a name of the header above. */
#include "syscall.h"

enum { LAST = _NSIG - 1 };

static struct sigaction actions[_NSIG];
static sigset_t blocked, pending;

/* How the last of each signal was sent. */
static int codes[_NSIG];

/* The C library of the native program keeps these to itself. */
static int is_reserved(int signal) { return signal == 32 || signal == 33; }

int __libc_current_sigrtmin(void) { return 34; }

static void deliver_pending(void);

static siginfo_t describe(int signal) {
  siginfo_t info = {.si_signo = signal, .si_code = codes[signal]};
  info.si_pid = getpid();
  info.si_uid = getuid();
  return info;
}

static int deliver(int signal) {
  if (sigismember(&blocked, signal)) {
    sigaddset(&pending, signal);
    return 0;
  }
  struct sigaction action = actions[signal];
  if (action.sa_handler == SIG_IGN) return 0;
  if (action.sa_handler == SIG_DFL) return (int)syscall(SYS_tkill, getpid(), signal);
  if (action.sa_flags & SA_RESETHAND) actions[signal].sa_handler = SIG_DFL;
  sigset_t before = blocked;
  sigorset(&blocked, &blocked, &action.sa_mask);
  if (!(action.sa_flags & SA_NODEFER)) sigaddset(&blocked, signal);
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t info = describe(signal);
    action.sa_sigaction(signal, &info, 0);
  } else {
    action.sa_handler(signal);
  }
  blocked = before;
  deliver_pending();
  return 0;
}

static int send(int signal, int code) {
  if (!sigismember(&pending, signal)) codes[signal] = code;
  return deliver(signal);
}

/* Delivers what was waiting and is no longer blocked. */
static void deliver_pending(void) {
  for (int signal = 1; signal <= LAST; signal++)
    if (sigismember(&pending, signal) && !sigismember(&blocked, signal)) {
      sigdelset(&pending, signal);
      deliver(signal);
    }
}

int __sigaction(int signal, const struct sigaction *restrict new, struct sigaction *restrict old) {
  if (signal < 1 || signal > LAST || is_reserved(signal) || (new && (signal == SIGKILL || signal == SIGSTOP))) {
    errno = EINVAL;
    return -1;
  }
  struct sigaction before = actions[signal];
  if (new) {
    actions[signal] = *new;
    if (new->sa_handler == SIG_IGN) sigdelset(&pending, signal);
  }
  if (old) *old = before;
  return 0;
}

weak_alias(__sigaction, sigaction);

int raise(int signal) {
  if (signal < 0 || signal > LAST) {
    errno = EINVAL;
    return -1;
  }
  return signal == 0 ? 0 : send(signal, SI_TKILL);
}

int kill(pid_t process, int signal) {
  pid_t self = getpid();
  if (signal > 0 && signal <= LAST && (process == self || process == 0 || process == -1 || process == -self))
    return send(signal, SI_USER);
  return (int)syscall(SYS_kill, process, signal);
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  sigset_t before = blocked;
  if (set) {
    sigset_t changed = *set;
    switch (how) {
      case SIG_BLOCK: sigorset(&blocked, &blocked, &changed); break;
      case SIG_UNBLOCK:
        for (int signal = 1; signal <= LAST; signal++)
          if (sigismember(&changed, signal)) sigdelset(&blocked, signal);
        break;
      case SIG_SETMASK: blocked = changed; break;
      default: return EINVAL;
    }
    sigdelset(&blocked, SIGKILL);
    sigdelset(&blocked, SIGSTOP);
    deliver_pending();
  }
  if (old) *old = before;
  return 0;
}

/* A jmp_buf, as the program's header has it. */
struct place {
  long registers[8];
  int is_saved;
  sigset_t blocked;
};

/* Called before sigsetjmp(). */
void __secateur_save_signals(struct place *place, int is_saved) {
  place->is_saved = is_saved != 0;
  if (is_saved) place->blocked = blocked;
}

/* Likewise what <setjmp.h> calls under _FORTIFY_SOURCE. */
_Noreturn void siglongjmp(sigjmp_buf buffer, int value) {
  struct place *place = (struct place *)buffer;
  if (place->is_saved) pthread_sigmask(SIG_SETMASK, &place->blocked, 0);
  longjmp(buffer, value);
}

weak_alias(siglongjmp, __longjmp_chk);

int sigpending(sigset_t *set) {
  *set = pending;
  return 0;
}

/* Nothing comes from outside: if nothing is pending that has a handler, this waits for ever, and the machine says so. */
int sigsuspend(const sigset_t *set) {
  sigset_t before = blocked;
  int is_handled = 0;
  blocked = *set;
  sigdelset(&blocked, SIGKILL);
  sigdelset(&blocked, SIGSTOP);
  for (int signal = 1; signal <= LAST; signal++)
    if (sigismember(&pending, signal) && !sigismember(&blocked, signal) && actions[signal].sa_handler != SIG_IGN)
      is_handled = 1;
  if (!is_handled) syscall(SYS_rt_sigsuspend, set, sizeof *set);
  deliver_pending();
  blocked = before;
  errno = EINTR;
  return -1;
}

/* Takes a pending signal of a set; 0 if there is none. */
static int take_pending(const sigset_t *set, siginfo_t *info) {
  for (int signal = 1; signal <= LAST; signal++)
    if (sigismember(set, signal) && sigismember(&pending, signal)) {
      sigdelset(&pending, signal);
      if (info) *info = describe(signal);
      return signal;
    }
  return 0;
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict time) {
  int signal = take_pending(set, info);
  if (signal) return signal;
  if (!time) return (int)syscall(SYS_rt_sigtimedwait, set, info, time, sizeof *set);
  int is_valid = time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
  errno = is_valid ? EAGAIN : EINVAL;
  return -1;
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) { return sigtimedwait(set, info, 0); }

int sigwait(const sigset_t *restrict set, int *restrict signal) {
  *signal = sigtimedwait(set, 0, 0);
  return *signal < 0 ? errno : 0;
}

int sigaltstack(const stack_t *restrict new, stack_t *restrict old) {
  static stack_t stack = {.ss_flags = SS_DISABLE};
  if (old) *old = stack;
  if (new) stack = *new;
  return 0;
}

/* A program that handles signals may handle this one. */
REPLACEABLE _Noreturn void abort(void) {
  sigdelset(&blocked, SIGABRT);
  send(SIGABRT, SI_TKILL);
  actions[SIGABRT].sa_handler = SIG_DFL;
  for (;;) deliver(SIGABRT);
}
