/* The scanf family on wide characters. */
#define WIDE 1
#include "scan.h"

REPLACEABLE int vfwscanf(FILE *restrict f, const wchar_t *restrict format, va_list arguments) {
  struct input in = {.f = f};
  FLOCK(f);
  int done = fwide(f, 1) > 0 ? scan(&in, format, arguments) : EOF;
  FUNLOCK(f);
  return done;
}

weak_alias(vfwscanf, __isoc99_vfwscanf);

REPLACEABLE int vswscanf(const wchar_t *restrict text, const wchar_t *restrict format, va_list arguments) {
  struct input in = {.string = text};
  return scan(&in, format, arguments);
}

weak_alias(vswscanf, __isoc99_vswscanf);
