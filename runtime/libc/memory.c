/* Blocks of memory. Copying and filling become one instruction of the machine each; searching goes
 * byte by byte, where musl reads whole words and would touch bytes beyond what it searches. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <string.h>

REPLACEABLE void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  __builtin_memcpy(to, from, count);
  return to;
}

REPLACEABLE void *memmove(void *to, const void *from, size_t count) {
  __builtin_memmove(to, from, count);
  return to;
}

REPLACEABLE void *memset(void *to, int byte, size_t count) {
  __builtin_memset(to, byte, count);
  return to;
}

REPLACEABLE void *memccpy(void *restrict to, const void *restrict from, int byte, size_t count) {
  unsigned char *d = to;
  const unsigned char *s = from;
  for (size_t i = 0; i < count; i++) {
    d[i] = s[i];
    if (s[i] == (unsigned char)byte) return d + i + 1;
  }
  return 0;
}

REPLACEABLE void *memchr(const void *memory, int byte, size_t count) {
  const unsigned char *s = memory;
  for (size_t i = 0; i < count; i++)
    if (s[i] == (unsigned char)byte) return (void *)(s + i);
  return 0;
}

REPLACEABLE void *memmem(const void *hay, size_t hay_length, const void *needle, size_t needle_length) {
  const unsigned char *h = hay, *n = needle;
  for (size_t start = 0; needle_length <= hay_length && start <= hay_length - needle_length; start++) {
    size_t i = 0;
    while (i < needle_length && h[start + i] == n[i]) i++;
    if (i == needle_length) return (void *)(h + start);
  }
  return 0;
}
