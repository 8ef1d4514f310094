/* The scanf family on bytes. */
#define WIDE 0
#include "scan.h"

REPLACEABLE int vfscanf(FILE *restrict f, const char *restrict format, va_list arguments) {
  struct input in = {.f = f};
  FLOCK(f);
  /* A stream of wide characters has no bytes. */
  int done = fwide(f, -1) < 0 ? scan(&in, (const character *)format, arguments) : EOF;
  FUNLOCK(f);
  return done;
}

REPLACEABLE int __isoc99_vfscanf(FILE *restrict f, const char *restrict format, va_list arguments) {
  return vfscanf(f, format, arguments);
}
