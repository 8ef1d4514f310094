/* Clocks. They stand still, and nobody waits. */
#define _GNU_SOURCE
#include "world.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

time_t __secateur_time(time_t *result) {
  if (result != NULL) *result = WORLD_NOW;
  return WORLD_NOW;
}

int __secateur_gettimeofday(struct timeval *result, void *zone) {
  (void)zone;
  if (result != NULL) *result = (struct timeval){WORLD_NOW, 0};
  return 0;
}

int __secateur_clock_gettime(clockid_t clock, struct timespec *result) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: *result = (struct timespec){WORLD_NOW, 0}; return 0;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: *result = (struct timespec){WORLD_SINCE_BOOT, 0}; return 0;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: *result = (struct timespec){0, WORLD_USED_NANOSECONDS}; return 0;
    default: errno = EINVAL; return -1;
  }
}

int __secateur_timespec_get(struct timespec *result, int base) {
  if (base != TIME_UTC) return 0;
  *result = (struct timespec){WORLD_NOW, 0};
  return base;
}

clock_t __secateur_clock(void) { return WORLD_USED_NANOSECONDS / 1000; }

clock_t __secateur_times(struct tms *result) {
  if (result != NULL) *result = (struct tms){1, 0, 0, 0};
  return WORLD_SINCE_BOOT * 100;
}

int __secateur_getrusage(int who, struct rusage *result) {
  (void)who;
  *result = (struct rusage){.ru_utime = {0, WORLD_USED_NANOSECONDS / 1000}};
  return 0;
}

/* --- Waiting -------------------------------------------------------------------------------- */

static int is_time(const struct timespec *time_to_wait) {
  return time_to_wait->tv_sec >= 0 && time_to_wait->tv_nsec >= 0 && time_to_wait->tv_nsec < 1000000000;
}

int __secateur_nanosleep(const struct timespec *request, struct timespec *left) {
  (void)left;
  if (is_time(request)) return 0;
  errno = EINVAL;
  return -1;
}

int __secateur_clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *left) {
  (void)clock, (void)flags, (void)left;
  return is_time(request) ? 0 : EINVAL;
}

unsigned __secateur_sleep(unsigned seconds) {
  (void)seconds;
  return 0;
}

int __secateur_usleep(useconds_t time_to_wait) {
  (void)time_to_wait;
  return 0;
}

unsigned __secateur_alarm(unsigned seconds) {
  (void)seconds;
  return 0;
}

int __secateur_setitimer(int which, const struct itimerval *new, struct itimerval *old) {
  (void)which, (void)new;
  if (old != NULL) *old = (struct itimerval){{0, 0}, {0, 0}};
  return 0;
}

int __secateur_poll(struct pollfd *list, nfds_t count, int timeout) {
  return poll(list, count, timeout > 0 ? 0 : timeout);
}

int __secateur_select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout) {
  struct timeval none = {0, 0};
  return select(count, in, out, other, timeout == NULL ? NULL : &none);
}
