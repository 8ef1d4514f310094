/* Times and identities that are input (`--sym-time`, `--sym-ids`). Calls of the program go to these functions
 * (crates/program/src/substitutes.rs), both in the machine (runtime/libc/chosen.c) and natively. */
#include "../../include/klee/klee.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* --- Time ----------------------------------------------------------------------------------- */

struct moment {
  long seconds, nanoseconds;
};

/* The end of the year 9999, the last one that is written with four digits. */
#define LAST_SECOND 253402300799

/* What a clock shows now: any time that is not before the last one. */
static struct moment next_moment(struct moment *last, const char *name) {
  struct moment now;
  int saved_errno = errno;
  klee_make_symbolic(&now, sizeof now, name);
  int is_time = (now.seconds >= 0) & (now.seconds <= LAST_SECOND) & (now.nanoseconds >= 0) & (now.nanoseconds < 1000000000);
  int is_later = (now.seconds > last->seconds) |
                 ((now.seconds == last->seconds) & (now.nanoseconds >= last->nanoseconds));
  klee_assume(is_time & is_later);
  errno = saved_errno;
  *last = now;
  return now;
}

static struct moment of_day, since_start, used;

time_t __secateur_any_time(time_t *result);
REPLACEABLE time_t __secateur_any_time(time_t *result) {
  time_t now = next_moment(&of_day, "time").seconds;
  if (result != NULL) *result = now;
  return now;
}

int __secateur_any_gettimeofday(struct timeval *result, void *zone);
REPLACEABLE int __secateur_any_gettimeofday(struct timeval *result, void *zone) {
  (void)zone;
  struct moment now = next_moment(&of_day, "time");
  if (result != NULL) *result = (struct timeval){now.seconds, now.nanoseconds / 1000};
  return 0;
}

int __secateur_any_timespec_get(struct timespec *result, int base);
REPLACEABLE int __secateur_any_timespec_get(struct timespec *result, int base) {
  if (base != TIME_UTC) return 0;
  struct moment now = next_moment(&of_day, "time");
  *result = (struct timespec){.tv_sec = now.seconds, .tv_nsec = now.nanoseconds};
  return base;
}

int __secateur_any_clock_gettime(clockid_t clock, struct timespec *result);
REPLACEABLE int __secateur_any_clock_gettime(clockid_t clock, struct timespec *result) {
  struct moment now;
  switch (clock) {
    case 0: case 5: case 11: now = next_moment(&of_day, "time"); break;
    case 1: case 4: case 6: case 7: now = next_moment(&since_start, "time_since_start"); break;
    case 2: case 3: now = next_moment(&used, "time_used"); break;
    default: errno = EINVAL; return -1;
  }
  *result = (struct timespec){.tv_sec = now.seconds, .tv_nsec = now.nanoseconds};
  return 0;
}

clock_t __secateur_any_clock(void);
REPLACEABLE clock_t __secateur_any_clock(void) {
  struct moment now = next_moment(&used, "time_used");
  return now.seconds * 1000000 + now.nanoseconds / 1000;
}

/* --- Identity ------------------------------------------------------------------------------- */

/* A number that is chosen when it is asked for first. */
struct identity {
  int is_known;
  uint32_t number;
};

static uint32_t identify(struct identity *identity, const char *name) {
  if (!identity->is_known) {
    int saved_errno = errno;
    klee_make_symbolic(&identity->number, sizeof identity->number, name);
    errno = saved_errno;
    identity->is_known = 1;
  }
  return identity->number;
}

#define USER_OR_GROUP(type, name)                                                 \
  type __secateur_any_##name(void);                                                \
  REPLACEABLE type __secateur_any_##name(void) {                                   \
    static struct identity identity;                                               \
    uint32_t number = identify(&identity, #name);                                  \
    /* The last number stands for none. */                                         \
    klee_assume(number != UINT32_MAX);                                             \
    return number;                                                                 \
  }

USER_OR_GROUP(uid_t, getuid)
USER_OR_GROUP(uid_t, geteuid)
USER_OR_GROUP(gid_t, getgid)
USER_OR_GROUP(gid_t, getegid)

/* From 1 to the largest number that Linux gives. */
#define PROCESS(name)                                                             \
  pid_t __secateur_any_##name(void);                                               \
  REPLACEABLE pid_t __secateur_any_##name(void) {                                  \
    static struct identity identity;                                               \
    uint32_t number = identify(&identity, #name);                                  \
    klee_assume(number < 4194304);                                                 \
    return (pid_t)number + 1;                                                      \
  }

PROCESS(getpid)
PROCESS(getppid)

/* Up to eight characters. */
static const char *host(void) {
  static char name[9];
  static int is_known;
  if (is_known) return name;
  int saved_errno = errno;
  klee_make_symbolic(name, sizeof name, "hostname");
  klee_assume(name[8] == 0);
  errno = saved_errno;
  is_known = 1;
  return name;
}

int __secateur_any_gethostname(char *text, size_t size);
REPLACEABLE int __secateur_any_gethostname(char *text, size_t size) {
  const char *name = host();
  size_t length = strlen(name) + 1;
  memcpy(text, name, size < length ? size : length);
  if (size >= length) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

int __secateur_any_uname(struct utsname *names);
REPLACEABLE int __secateur_any_uname(struct utsname *names) {
  if (SUBSTITUTED(uname)(names) != 0) return -1;
  memset(names->nodename, 0, sizeof names->nodename);
  strcpy(names->nodename, host());
  return 0;
}
