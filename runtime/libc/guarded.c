/* Functions that do what glibc's do for usual arguments. For others, musl answers differently, so the path ends as
 * unsupported: the functions that are called then are defined nowhere. musl's own go by other names
 * (scripts/libc-member.sh). */
#include "replaceable.h"

#include <arpa/inet.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

int __musl_fnmatch(const char *, const char *, int);
size_t __musl_strftime(char *restrict, size_t, const char *restrict, const struct tm *restrict);
int __musl_inet_aton(const char *, struct in_addr *);
const char *__musl_inet_ntop(int, const void *restrict, char *restrict, socklen_t);

void __secateur_fnmatch_unusual_pattern(void);
void __secateur_strftime_unusual_format(void);
void __secateur_inet_aton_space(void);
void __secateur_inet_ntop_embedded_address(void);

/* Moves over a bracket expression without escapes, collating symbols and empty ranges; 0 if it is another one. */
static const char *plain_brackets(const char *s) {
  const char *first = ++s;
  if (*s == '!' || *s == '^') first = ++s;
  for (; *s != ']' || s == first; s++) {
    if (*s == 0 || *s == '\\') return 0;
    if (*s == '[' && (s[1] == '.' || s[1] == '=')) return 0;
    if (*s == '[' && s[1] == ':') {
      const char *end = strchr(s + 2, ']');
      if (!end || end[-1] != ':') return 0;
      s = end;
    } else if (s[1] == '-' && s[2] != ']' && s[2] != 0 && (unsigned char)s[2] < (unsigned char)*s) {
      return 0;
    }
  }
  return s;
}

REPLACEABLE int fnmatch(const char *pattern, const char *text, int flags) {
  int usual = !(flags & ~(FNM_PATHNAME | FNM_PERIOD | FNM_NOESCAPE | FNM_LEADING_DIR | FNM_CASEFOLD));
  for (const char *s = pattern; usual && *s; s++) {
    if (*s == '\\' && !(flags & FNM_NOESCAPE)) {
      if (*++s == 0) usual = 0;
    } else if (*s == '[') {
      s = plain_brackets(s);
      if (!s) usual = 0;
    }
    if (!usual) break;
  }
  if (!usual) __secateur_fnmatch_unusual_pattern();
  return __musl_fnmatch(pattern, text, flags);
}

/* Conversions without flags and widths, of fields that are in range. */
static int is_usual_format(const char *s, const struct tm *time) {
  for (; *s; s++) {
    if (*s != '%') continue;
    s++;
    if (*s == 0 || !strchr("YmdHMSCDeFIjnRtTxXryp%zaAuwUWVgGbBhcs", *s)) return 0;
    if (strchr("aAuwUWVgGc", *s) && (time->tm_wday < 0 || time->tm_wday > 6)) return 0;
    if (strchr("bBhcmpIr", *s) && (time->tm_mon < 0 || time->tm_mon > 11 || time->tm_hour < 0 || time->tm_hour > 23)) return 0;
    if (strchr("YCDFgGycx", *s) && (time->tm_year < -900 || time->tm_year > 8099)) return 0;
  }
  return 1;
}

REPLACEABLE size_t strftime(char *restrict text, size_t size, const char *restrict format,
                            const struct tm *restrict time) {
  if (!is_usual_format(format, time)) __secateur_strftime_unusual_format();
  return __musl_strftime(text, size, format, time);
}

REPLACEABLE int inet_aton(const char *text, struct in_addr *address) {
  for (const char *s = text; *s; s++)
    if (*s == ' ' || (*s >= '\t' && *s <= '\r')) __secateur_inet_aton_space();
  return __musl_inet_aton(text, address);
}

REPLACEABLE const char *inet_ntop(int family, const void *restrict address, char *restrict text, socklen_t size) {
  if (family == AF_INET6) {
    const unsigned char *bytes = address;
    int zeros = 0;
    while (zeros < 12 && bytes[zeros] == 0) zeros++;
    if (zeros == 12 && (bytes[12] || bytes[13])) __secateur_inet_ntop_embedded_address();
  }
  return __musl_inet_ntop(family, address, text, size);
}

/* Two slashes at the start are kept, but not three. */
REPLACEABLE char *dirname(char *path) {
  if (!path || !*path) return ".";
  size_t end = strlen(path);
  while (end > 0 && path[end - 1] == '/') end--;
  while (end > 0 && path[end - 1] != '/') end--;
  if (end == 0) return path[0] == '/' ? (path[1] == '/' && path[2] != '/' ? "//" : "/") : ".";
  while (end > 0 && path[end - 1] == '/') end--;
  if (end == 0) return path[1] == '/' && path[2] != '/' ? "//" : "/";
  path[end] = 0;
  return path;
}
