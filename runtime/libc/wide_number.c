/* Wide characters to numbers. */
#include <wchar.h>
typedef wchar_t character;
#include "integer.h"

#include <string.h>

INTEGERS(wcsto)

/* Whether a character can belong to a floating-point number, which may be "nan(name)". */
static int is_part(wchar_t c) {
  return digit(c) < 36 || c == '.' || c == '+' || c == '-' || c == '(' || c == ')' || c == '_';
}

/* The text of a number as bytes, in `small` if there is room; a null pointer if there is no memory. */
static char *narrow(const wchar_t *text, char *small, size_t room) {
  size_t length = 0;
  while (is_part(text[length])) length++;
  char *bytes = length < room ? small : malloc(length + 1);
  if (!bytes) return 0;
  for (size_t i = 0; i < length; i++) bytes[i] = (char)text[i];
  bytes[length] = 0;
  return bytes;
}

#define REAL(type, name, convert)                                                                       \
  REPLACEABLE type name(const wchar_t *restrict text, wchar_t **restrict end) {                         \
    const wchar_t *first = text;                                                                        \
    char small[64], *after, *bytes;                                                                     \
    while (is_space(*first)) first++;                                                                   \
    if (!(bytes = narrow(first, small, sizeof small))) return 0;                                        \
    type value = convert(bytes, &after);                                                                \
    if (end) *end = (wchar_t *)(after == bytes ? text : first + (after - bytes));                       \
    if (bytes != small) free(bytes);                                                                    \
    return value;                                                                                       \
  }

REAL(float, wcstof, strtof)
REAL(double, wcstod, strtod)
REAL(long double, wcstold, strtold)
