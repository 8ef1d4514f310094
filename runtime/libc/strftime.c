/* strftime in the C locale, with GNU's flags, widths and conversions, as in glibc. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

enum { YEAR_BASE = 1900 };

static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August",
                                     "September", "October", "November", "December"};

/* Text that may be too long for its room; without a place, its length alone counts. */
struct text {
  char *at;
  size_t room, length;
};

/* What stands between the percent sign and the letter. */
struct conversion {
  char pad, modifier;
  int upper, lower, swap, width;
};

static int put(struct text *text, const struct conversion *conversion, const char *s, size_t length) {
  size_t width = conversion->width < 0 ? 0 : (size_t)conversion->width, padding = width > length ? width - length : 0;
  if (length + padding >= text->room - text->length) return 0;
  if (text->at) {
    char *to = text->at + text->length;
    memset(to, conversion->pad == '0' ? '0' : ' ', padding);
    to += padding;
    for (size_t i = 0; i < length; i++)
      to[i] = (char)(conversion->lower ? tolower((unsigned char)s[i]) : conversion->upper ? toupper((unsigned char)s[i]) : s[i]);
  }
  text->length += length + padding;
  return 1;
}

static int put_text(struct text *text, struct conversion *conversion, const char *s) {
  return put(text, conversion, s, strlen(s));
}

/* At least so many digits, of which the sign is one. A width asks for more of them, unless the padding is another. */
static int put_signed(struct text *text, struct conversion *conversion, int digits, long value) {
  char number[24];
  int length = snprintf(number, sizeof number, "%lu", value < 0 ? 0 - (unsigned long)value : (unsigned long)value);
  int padding = conversion->pad == '-' ? 0 : digits - length - (value < 0);
  struct conversion plain = {.width = -1};
  if (conversion->pad == '_') {
    for (; padding > 0; padding--) {
      if (!put(text, &plain, " ", 1)) return 0;
      if (conversion->width > 0) conversion->width--;
    }
  } else if (conversion->pad != '-') {
    if (conversion->width > digits) padding = conversion->width - length - (value < 0);
  }
  char whole[32], *to = whole;
  if (value < 0) *to++ = '-';
  if (conversion->pad == '_' || padding <= 0) {
    memcpy(to, number, (size_t)length);
    return put(text, conversion, whole, (size_t)(to - whole + length));
  }
  if (value < 0 && !put(text, &plain, "-", 1)) return 0;
  struct conversion zeros = {.width = padding, .pad = '0'};
  return put(text, &zeros, "", 0) && put(text, &plain, number, (size_t)length);
}

/* The week of ISO 8601: days since the Monday of the first week, negative if the day belongs to the year before. */
static int iso_days(int day, int weekday) {
  int enough = 3 * 7;
  return day - (day - weekday + 4 + enough) % 7 + 4 - 1;
}

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/* The year of the week, relative to tm_year, and the days since that year's first Monday. */
static int iso_year(const struct tm *time, int *passed) {
  int year = (int)((unsigned)time->tm_year + (time->tm_year < 0 ? 300 : (unsigned)-100));
  *passed = iso_days(time->tm_yday, time->tm_wday);
  if (*passed < 0) {
    *passed = iso_days(time->tm_yday + 365 + is_leap(year - 1), time->tm_wday);
    return -1;
  }
  int later = iso_days(time->tm_yday - 365 - is_leap(year), time->tm_wday);
  if (later < 0) return 0;
  *passed = later;
  return 1;
}

static int put_all(struct text *text, const char *format, const struct tm *time);

/* A conversion that stands for others; all of them become upper case together. */
static int put_format(struct text *text, struct conversion *conversion, const char *format, const struct tm *time) {
  struct text count = {.room = (size_t)-1};
  put_all(&count, format, time);
  size_t length = count.length, start = text->length;
  struct conversion padding = *conversion;
  padding.width = conversion->width > (int)length ? conversion->width - (int)length : 0;
  if (length + (size_t)padding.width >= text->room - start) return 0;
  if (!put(text, &padding, "", 0) || !put_all(text, format, time)) return 0;
  if (text->at && conversion->upper)
    for (size_t i = start; i < text->length; i++) text->at[i] = (char)toupper((unsigned char)text->at[i]);
  return 1;
}

static int put_year(struct text *text, struct conversion *conversion, int digits, int year, int relative) {
  long whole = (long)year + YEAR_BASE + relative;
  return put_signed(text, conversion, digits, whole);
}

/* Whether the letter takes this modifier. */
static int fits(char letter, char modifier) {
  if (!modifier || strchr("%ntpPrRsTuzZ", letter)) return 1;
  return strchr(modifier == 'E' ? "cCxXyY" : "bBhCdeHIjklmMSUVgGwWy", letter) != 0;
}

/* One conversion; -1 if there is none of this letter. */
static int convert(struct text *text, struct conversion *c, char letter, const struct tm *time) {
  int weekday_fits = time->tm_wday >= 0 && time->tm_wday <= 6, month_fits = time->tm_mon >= 0 && time->tm_mon <= 11;
  int hour12 = time->tm_hour > 12 ? time->tm_hour - 12 : time->tm_hour == 0 ? 12 : time->tm_hour, passed;
  const char *day = weekday_fits ? days[time->tm_wday] : "?", *month = month_fits ? months[time->tm_mon] : "?";
  if (strchr("bBh", letter) && c->swap) c->upper = 1;
  if (!fits(letter, c->modifier)) return -1;
  if (strchr("aA", letter) && c->swap) c->upper = 1;
  switch (letter) {
    case '%': return put_text(text, c, "%");
    case 'n': return put_text(text, c, "\n");
    case 't': return put_text(text, c, "\t");
    case 'a': return put(text, c, day, weekday_fits ? 3 : 1);
    case 'A': return put_text(text, c, day);
    case 'b': case 'h': return put(text, c, month, month_fits ? 3 : 1);
    case 'B': return put_text(text, c, month);
    case 'c': return put_format(text, c, "%a %b %e %H:%M:%S %Y", time);
    case 'D': case 'x': return put_format(text, c, "%m/%d/%y", time);
    case 'F': return put_format(text, c, "%Y-%m-%d", time);
    case 'R': return put_format(text, c, "%H:%M", time);
    case 'T': case 'X': return put_format(text, c, "%H:%M:%S", time);
    case 'r': return put_format(text, c, "%I:%M:%S %p", time);
    case 'C': {
      long year = (long)time->tm_year + YEAR_BASE;
      return put_signed(text, c, 1, year / 100 - (year % 100 < 0));
    }
    case 'd': return put_signed(text, c, 2, time->tm_mday);
    case 'H': return put_signed(text, c, 2, time->tm_hour);
    case 'I': return put_signed(text, c, 2, hour12);
    case 'M': return put_signed(text, c, 2, time->tm_min);
    case 'S': return put_signed(text, c, 2, time->tm_sec);
    case 'm': return put_signed(text, c, 2, (long)time->tm_mon + 1);
    case 'j': return put_signed(text, c, 3, (long)time->tm_yday + 1);
    case 'e': case 'k': case 'l':
      if (!c->pad) c->pad = '_';
      return put_signed(text, c, 2, letter == 'e' ? time->tm_mday : letter == 'k' ? time->tm_hour : hour12);
    case 'P': c->lower = 1; return put_text(text, c, time->tm_hour > 11 ? "pm" : "am");
    case 'p':
      if (c->swap) c->upper = 0, c->lower = 1;
      return put_text(text, c, time->tm_hour > 11 ? "PM" : "AM");
    case 's': {
      struct tm copy = *time;
      char number[24];
      snprintf(number, sizeof number, "%ld", (long)mktime(&copy));
      return put_text(text, c, number);
    }
    case 'u': return put_signed(text, c, 1, (time->tm_wday - 1 + 7) % 7 + 1);
    case 'w': return put_signed(text, c, 1, time->tm_wday);
    case 'U': return put_signed(text, c, 2, (time->tm_yday - time->tm_wday + 7) / 7);
    case 'W': return put_signed(text, c, 2, (time->tm_yday - (time->tm_wday - 1 + 7) % 7 + 7) / 7);
    case 'V': iso_year(time, &passed); return put_signed(text, c, 2, passed / 7 + 1);
    case 'g': return put_signed(text, c, 2, ((time->tm_year % 100 + iso_year(time, &passed)) % 100 + 100) % 100);
    case 'G': return put_year(text, c, 1, time->tm_year, iso_year(time, &passed));
    case 'Y': return put_year(text, c, 1, time->tm_year, 0);
    case 'y': return put_signed(text, c, 2, (time->tm_year % 100 + 100) % 100);
    case 'Z':
      if (c->swap) c->upper = 0, c->lower = 1;
      if (time->__tm_zone && *time->__tm_zone) return put_text(text, c, time->__tm_zone);
      return put_text(text, c, time->tm_isdst < 0 ? "" : tzname[time->tm_isdst]);
    case 'z': {
      if (time->tm_isdst < 0) return 1;
      long minutes = time->__tm_gmtoff / 60, shown = minutes < 0 ? -minutes : minutes;
      if (!put_text(text, c, time->__tm_gmtoff < 0 ? "-" : "+")) return 0;
      return put_signed(text, c, 4, shown / 60 * 100 + shown % 60);
    }
  }
  return -1;
}

static int put_all(struct text *text, const char *format, const struct tm *time) {
  for (; *format; format++) {
    struct conversion conversion = {.width = -1};
    const char *start = format;
    if (*format != '%') {
      if (!put(text, &conversion, format, 1)) return 0;
      continue;
    }
    for (;;) {
      char flag = *++format;
      if (flag == '_' || flag == '-' || flag == '0') conversion.pad = flag;
      else if (flag == '^') conversion.upper = 1;
      else if (flag == '#') conversion.swap = 1;
      else break;
    }
    if (isdigit((unsigned char)*format)) {
      for (conversion.width = 0; isdigit((unsigned char)*format); format++) {
        int digit = *format - '0';
        if (conversion.width > (INT_MAX - digit) / 10) conversion.width = INT_MAX;
        else conversion.width = conversion.width * 10 + digit;
      }
    }
    if (*format == 'E' || *format == 'O') conversion.modifier = *format++;
    int done = *format ? convert(text, &conversion, *format, time) : -1;
    if (done < 0) {
      if (!*format) format--;
      done = put(text, &conversion, start, (size_t)(format - start) + 1);
    }
    if (!done) return 0;
  }
  return 1;
}

REPLACEABLE size_t strftime(char *restrict to, size_t size, const char *restrict format,
                            const struct tm *restrict time) {
  struct text text = {.at = to, .room = size};
  tzset();
  if (!put_all(&text, format, time)) return 0;
  if (size > 0) to[text.length] = 0;
  return text.length;
}

REPLACEABLE size_t __strftime_l(char *restrict to, size_t size, const char *restrict format,
                                const struct tm *restrict time, locale_t locale) {
  (void)locale;
  return strftime(to, size, format, time);
}

weak_alias(__strftime_l, strftime_l);

/* A format beyond ASCII; defined nowhere, so that the path ends. */
void __secateur_wcsftime_beyond_ascii(void);

REPLACEABLE size_t wcsftime(wchar_t *restrict to, size_t size, const wchar_t *restrict format,
                            const struct tm *restrict time) {
  size_t length = wcslen(format);
  char *narrow = malloc(length + 1), *result = malloc(size + 1);
  if (!narrow || !result) {
    free(narrow);
    free(result);
    return 0;
  }
  for (size_t i = 0; i <= length; i++) {
    if ((unsigned)format[i] >= 0x80) __secateur_wcsftime_beyond_ascii();
    narrow[i] = (char)format[i];
  }
  length = strftime(result, size, narrow, time);
  if (length > 0 || size > 0)
    for (size_t i = 0; i <= length; i++) to[i] = i < length ? result[i] : 0;
  free(narrow);
  free(result);
  return length;
}
