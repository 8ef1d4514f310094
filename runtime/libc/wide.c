/* Classes of wide characters in the C locale: those of ASCII. musl's are those of Unicode in every locale. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <ctype.h>
#include <wchar.h>
#include <wctype.h>

#define CLASS(name, plain)                                                      \
  REPLACEABLE int name(wint_t c) { return c < 0x80 && plain((int)c); }          \
  REPLACEABLE int __##name##_l(wint_t c, locale_t locale) {                     \
    (void)locale;                                                               \
    return name(c);                                                             \
  }                                                                             \
  weak_alias(__##name##_l, name##_l)

CLASS(iswalpha, isalpha);
CLASS(iswcntrl, iscntrl);
CLASS(iswprint, isprint);
CLASS(iswpunct, ispunct);
CLASS(iswspace, isspace);

#define CASE(name, plain)                                                       \
  REPLACEABLE wint_t name(wint_t c) { return c < 0x80 ? (wint_t)plain((int)c) : c; } \
  REPLACEABLE wint_t __##name##_l(wint_t c, locale_t locale) {                  \
    (void)locale;                                                               \
    return name(c);                                                             \
  }                                                                             \
  weak_alias(__##name##_l, name##_l)

CASE(towlower, tolower);
CASE(towupper, toupper);

REPLACEABLE int wcwidth(wchar_t c) {
  if (!c) return 0;
  return iswprint((wint_t)c) ? 1 : -1;
}
