/* Conversions in UTC, whose name is GMT in glibc. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <time.h>

int __secs_to_tm(long long, struct tm *);
long long __tm_to_secs(const struct tm *);

static struct tm *convert(long long seconds, struct tm *time) {
  if (__secs_to_tm(seconds, time) < 0) {
    errno = EOVERFLOW;
    return 0;
  }
  time->tm_isdst = 0;
  time->__tm_gmtoff = 0;
  time->__tm_zone = "GMT";
  return time;
}

struct tm *__gmtime_r(const time_t *restrict seconds, struct tm *restrict time) { return convert(*seconds, time); }

weak_alias(__gmtime_r, gmtime_r);

time_t timegm(struct tm *time) {
  struct tm converted;
  long long seconds = __tm_to_secs(time);
  if (!convert(seconds, &converted)) return -1;
  *time = converted;
  return seconds;
}
