/* strptime in the C locale, as in glibc, which works out the fields that the text leaves open. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* What the text has said so far. */
struct known {
  int hour12, pm, month, month_day, weekday, year_day, date, sunday_weeks, monday_weeks;
  int week, century, short_year;
};

static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August",
                                     "September", "October", "November", "December"};

static const int before_month[2][13] = {{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
                                        {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366}};

static int is_leap(const struct tm *time) {
  int year = time->tm_year + 1900;
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int read_number(const char **text, int from, int to, int digits) {
  const char *s = *text;
  int value = 0;
  while (isspace((unsigned char)*s)) s++;
  if (!isdigit((unsigned char)*s)) return -1;
  do value = value * 10 + *s++ - '0';
  while (--digits > 0 && value * 10 <= to && isdigit((unsigned char)*s));
  *text = s;
  return value < from || value > to ? -1 : value;
}

/* One of the names, in full or its first three letters. */
static int read_name(const char **text, const char *const *names, int count) {
  for (int i = 0; i < count; i++) {
    size_t length = strlen(names[i]);
    if (strncasecmp(*text, names[i], length) != 0) length = 3;
    if (strncasecmp(*text, names[i], length) != 0) continue;
    *text += length;
    return i;
  }
  return -1;
}

/* Hours and minutes, with or without a colon, or Z. */
static int read_zone(const char **text, struct tm *time) {
  const char *s = *text;
  int value = 0, digits = 0;
  while (isspace((unsigned char)*s)) s++;
  if (*s == 'Z') {
    time->__tm_gmtoff = 0;
    *text = s + 1;
    return 1;
  }
  if (*s != '+' && *s != '-') return 0;
  int sign = *s++ == '-' ? -1 : 1;
  while (digits < 4 && isdigit((unsigned char)*s)) {
    value = value * 10 + *s++ - '0';
    digits++;
    if (*s == ':' && digits == 2 && isdigit((unsigned char)s[1])) s++;
  }
  if (digits == 2) value *= 100;
  else if (digits != 4 || value % 100 >= 60) return 0;
  time->__tm_gmtoff = sign * (value / 100 * 3600 + value % 100 * 60);
  *text = s;
  return 1;
}

/* Sets a field and returns from `convert` with the answer. */
#define NUMBER(field, from, to, digits, ...)                   \
  do {                                                         \
    int value = read_number(text, from, to, digits);           \
    if (value < 0) return 0;                                   \
    field;                                                     \
    __VA_ARGS__;                                               \
    return 1;                                                  \
  } while (0)

static int read_all(const char **text, const char *format, struct tm *time, struct known *known);

static int read_date(const char **text, const char *format, struct tm *time, struct known *known) {
  known->date = 1;
  return read_all(text, format, time, known);
}

/* Years of eras and alternative digits, which glibc reads in odd ways where the locale has none: defined nowhere, so that
 * the path ends. */
void __secateur_strptime_modifier(void);

/* Whether the letter takes this modifier. */
static int fits(char letter, char modifier) {
  if (modifier && letter && strchr(modifier == 'E' ? "CyY" : "deHImMSUVWwy", letter)) __secateur_strptime_modifier();
  return !modifier || (letter && strchr(modifier == 'E' ? "cxX" : "bBh", letter) != 0);
}

static int convert(const char **text, char letter, struct tm *time, struct known *known) {
  switch (letter) {
    case '%': return *(*text)++ == '%';
    case 'a': case 'A':
      time->tm_wday = read_name(text, days, 7);
      known->weekday = 1;
      return time->tm_wday >= 0;
    case 'b': case 'B': case 'h':
      time->tm_mon = read_name(text, months, 12);
      known->month = known->date = 1;
      return time->tm_mon >= 0;
    case 'c': return read_date(text, "%a %b %e %H:%M:%S %Y", time, known);
    case 'C': NUMBER(known->century = value, 0, 99, 2, known->date = 1);
    case 'd': case 'e': NUMBER(time->tm_mday = value, 1, 31, 2, known->month_day = known->date = 1);
    case 'x': case 'D': return read_date(text, "%m/%d/%y", time, known);
    case 'F': return read_date(text, "%Y-%m-%d", time, known);
    case 'k': case 'H': NUMBER(time->tm_hour = value, 0, 23, 2, known->hour12 = 0);
    case 'l': case 'I': NUMBER(time->tm_hour = value % 12, 1, 12, 2, known->hour12 = 1);
    case 'j': NUMBER(time->tm_yday = value - 1, 1, 366, 3, known->year_day = 1);
    case 'm': NUMBER(time->tm_mon = value - 1, 1, 12, 2, known->month = known->date = 1);
    case 'M': NUMBER(time->tm_min = value, 0, 59, 2);
    case 'n': case 't':
      while (isspace((unsigned char)**text)) ++*text;
      return 1;
    case 'p':
      known->pm = strncasecmp(*text, "PM", 2) == 0;
      if (!known->pm && strncasecmp(*text, "AM", 2) != 0) return 0;
      *text += 2;
      return 1;
    case 'r': return read_all(text, "%I:%M:%S %p", time, known);
    case 'R': return read_all(text, "%H:%M", time, known);
    case 's': {
      time_t seconds = 0;
      if (!isdigit((unsigned char)**text)) return 0;
      for (; isdigit((unsigned char)**text); ++*text) seconds = (time_t)((unsigned long)seconds * 10 + (unsigned long)(**text - '0'));
      return localtime_r(&seconds, time) != 0;
    }
    case 'S': NUMBER(time->tm_sec = value, 0, 61, 2);
    case 'X': case 'T': return read_all(text, "%H:%M:%S", time, known);
    case 'u': NUMBER(time->tm_wday = value % 7, 1, 7, 1, known->weekday = 1);
    case 'g': NUMBER((void)0, 0, 99, 2);
    case 'G':
      if (!isdigit((unsigned char)**text)) return 0;
      while (isdigit((unsigned char)**text)) ++*text;
      return 1;
    case 'U': NUMBER(known->week = value, 0, 53, 2, known->sunday_weeks = 1);
    case 'W': NUMBER(known->week = value, 0, 53, 2, known->monday_weeks = 1);
    case 'V': NUMBER((void)0, 0, 53, 2);
    case 'w': NUMBER(time->tm_wday = value, 0, 6, 1, known->weekday = 1);
    case 'y': NUMBER(time->tm_year = value >= 69 ? value : value + 100, 0, 99, 2, known->short_year = known->date = 1);
    case 'Y': NUMBER(time->tm_year = value - 1900, 0, 9999, 4, known->short_year = 0, known->date = 1);
    case 'Z':
      while (isspace((unsigned char)**text)) ++*text;
      while (**text && !isspace((unsigned char)**text)) ++*text;
      return 1;
    case 'z': return read_zone(text, time);
  }
  return 0;
}

static int read_all(const char **text, const char *format, struct tm *time, struct known *known) {
  while (*format) {
    if (isspace((unsigned char)*format)) {
      while (isspace((unsigned char)**text)) ++*text;
      format++;
      continue;
    }
    if (*format != '%') {
      if (*format++ != *(*text)++) return 0;
      continue;
    }
    for (format++; *format && strchr("-_0^#", *format);) format++;
    char modifier = *format == 'E' || *format == 'O' ? *format++ : 0, letter = *format;
    if (!letter || !fits(letter, modifier) || !convert(text, letter, time, known)) return 0;
    format++;
  }
  return 1;
}

/* --- The fields that were left open ---------------------------------------------------------- */

static void find_weekday(struct tm *time) {
  int before = 1900 + time->tm_year - (time->tm_mon < 2);
  int day = -473 + 365 * (time->tm_year - 70) + before / 4 - before / 4 / 25 + (before / 4 % 25 < 0) + before / 4 / 25 / 4 +
            before_month[0][time->tm_mon] + time->tm_mday - 1;
  time->tm_wday = (day % 7 + 7) % 7;
}

/* The month and the day in it, from the day of the year. */
static void find_month(struct tm *time, const struct known *known) {
  const int *before = before_month[is_leap(time)];
  int month = 0;
  while (before[month] <= time->tm_yday) month++;
  if (!known->month) time->tm_mon = month - 1;
  if (!known->month_day) time->tm_mday = time->tm_yday - before[month - 1] + 1;
}

static void find_day_of_week_number(struct tm *time, const struct known *known) {
  int weekday = time->tm_wday, day = time->tm_mday, month = time->tm_mon, first = known->sunday_weeks ? 0 : 1;
  time->tm_mday = 1;
  time->tm_mon = 0;
  find_weekday(time);
  if (known->month_day) time->tm_mday = day;
  if (known->month) time->tm_mon = month;
  if (!known->year_day)
    time->tm_yday = (7 - (time->tm_wday - first)) % 7 + (known->week - 1) * 7 + (weekday - first + 7) % 7;
  if (!known->month_day || !known->month) find_month(time, known);
  time->tm_wday = weekday;
}

REPLACEABLE char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict time) {
  struct known known = {.century = -1};
  const char *rest = text;
  if (!read_all(&rest, format, time, &known)) return 0;
  if (known.hour12 && known.pm) time->tm_hour += 12;
  if (known.century != -1)
    time->tm_year = (known.short_year ? time->tm_year % 100 : 0) + (known.century - 19) * 100;
  if (known.date && !known.weekday) {
    if (!(known.month && known.month_day) && known.year_day) find_month(time, &known);
    find_weekday(time);
  }
  if (known.date && !known.year_day)
    time->tm_yday = before_month[is_leap(time)][time->tm_mon] + time->tm_mday - 1;
  if ((known.sunday_weeks || known.monday_weeks) && known.weekday) find_day_of_week_number(time, &known);
  return (char *)rest;
}

REPLACEABLE char *strptime_l(const char *restrict text, const char *restrict format, struct tm *restrict time,
                             locale_t locale) {
  (void)locale;
  return strptime(text, format, time);
}
