/* What glibc's functions return when they have written a string: 1, or how much was written. musl's return 0. */
#include "replaceable.h"
#include "stdio_impl.h"

#include <limits.h>
#include <string.h>

REPLACEABLE int fputs(const char *restrict text, FILE *restrict f) {
  size_t length = strlen(text);
  return fwrite(text, 1, length, f) == length ? 1 : EOF;
}

REPLACEABLE int fputs_unlocked(const char *restrict text, FILE *restrict f) { return fputs(text, f); }

REPLACEABLE int puts(const char *text) {
  size_t length = strlen(text);
  FLOCK(stdout);
  int failed = fwrite(text, 1, length, stdout) != length || putc_unlocked('\n', stdout) < 0;
  FUNLOCK(stdout);
  if (failed) return EOF;
  return length < INT_MAX ? (int)length + 1 : INT_MAX;
}
