/* Strings, byte by byte and with few comparisons. musl's versions read whole words, and build one
 * function on another, so that the same byte is compared twice; both would cost symbolic execution
 * paths or queries. */
#define _GNU_SOURCE
#define _BSD_SOURCE
#include "replaceable.h"

#include <ctype.h>
#include <string.h>

REPLACEABLE size_t strlen(const char *s) {
  size_t length = 0;
  while (s[length]) length++;
  return length;
}

REPLACEABLE size_t strnlen(const char *s, size_t limit) {
  size_t length = 0;
  while (length < limit && s[length]) length++;
  return length;
}

REPLACEABLE char *stpcpy(char *restrict to, const char *restrict from) {
  while ((*to = *from)) to++, from++;
  return to;
}

REPLACEABLE char *strcpy(char *restrict to, const char *restrict from) {
  stpcpy(to, from);
  return to;
}

REPLACEABLE char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
  while (count > 0 && (*to = *from)) to++, from++, count--;
  memset(to, 0, count);
  return to;
}

REPLACEABLE char *strncpy(char *restrict to, const char *restrict from, size_t count) {
  stpncpy(to, from, count);
  return to;
}

REPLACEABLE size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = 0;
  for (; length + 1 < size && from[length]; length++) to[length] = from[length];
  if (size > 0) to[length] = 0;
  return length + strlen(from + length);
}

REPLACEABLE char *strchrnul(const char *s, int c) {
  while (*s != (char)c && *s) s++;
  return (char *)s;
}

REPLACEABLE char *strchr(const char *s, int c) {
  for (; *s != (char)c; s++)
    if (!*s) return 0;
  return (char *)s;
}

REPLACEABLE char *strrchr(const char *s, int c) {
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)last;
  }
}

REPLACEABLE char *strstr(const char *hay, const char *needle) {
  for (;; hay++) {
    size_t i = 0;
    while (needle[i] && hay[i] == needle[i]) i++;
    if (!needle[i]) return (char *)hay;
    if (!hay[i]) return 0;
  }
}

REPLACEABLE char *strcasestr(const char *hay, const char *needle) {
  for (;; hay++) {
    size_t i = 0;
    while (needle[i] && tolower((unsigned char)hay[i]) == tolower((unsigned char)needle[i])) i++;
    if (!needle[i]) return (char *)hay;
    if (!hay[i]) return 0;
  }
}

/* The names by which other files of musl call these. */
weak_alias(stpcpy, __stpcpy);
weak_alias(stpncpy, __stpncpy);
weak_alias(strchrnul, __strchrnul);
