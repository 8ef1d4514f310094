/* Dates as text, as glibc's: musl ends the program where the text is longer than usual. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The room that asctime_r is entitled to, and what the largest numbers need. */
enum { USUAL_SIZE = 26, LARGEST_SIZE = 114 };

static char *format(const struct tm *time, char *text, size_t size) {
  static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const char *day = time->tm_wday < 0 || time->tm_wday > 6 ? "???" : days + 3 * time->tm_wday;
  const char *month = time->tm_mon < 0 || time->tm_mon > 11 ? "???" : months + 3 * time->tm_mon;
  if (time->tm_year <= INT_MAX - 1900) {
    int length = snprintf(text, size, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month, time->tm_mday, time->tm_hour,
                          time->tm_min, time->tm_sec, 1900 + time->tm_year);
    if ((size_t)length < size) return text;
  }
  errno = EOVERFLOW;
  return 0;
}

REPLACEABLE char *__asctime_r(const struct tm *restrict time, char *restrict text) {
  return format(time, text, USUAL_SIZE);
}

weak_alias(__asctime_r, asctime_r);

REPLACEABLE char *asctime(const struct tm *time) {
  static char text[LARGEST_SIZE];
  return format(time, text, sizeof text);
}
