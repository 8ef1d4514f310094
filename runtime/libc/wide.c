/* Classes of wide characters in the C locale: those of ASCII. musl's are those of Unicode in every locale. */
#define _GNU_SOURCE
#include "classes.h"
#include "replaceable.h"

#include <ctype.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* A bit, or 1 for digits. */
#define CLASS(name, NAME, bit)                                                  \
  REPLACEABLE int(isw##name)(wint_t c) { return IS_##NAME(c) ? bit : 0; }        \
  REPLACEABLE int __isw##name##_l(wint_t c, locale_t locale) {                  \
    (void)locale;                                                               \
    return (isw##name)(c);                                                        \
  }                                                                             \
  weak_alias(__isw##name##_l, isw##name##_l);

CLASS(alnum, ALNUM, ALNUM)
CLASS(alpha, ALPHA, ALPHA)
CLASS(blank, BLANK, BLANK)
CLASS(cntrl, CNTRL, CNTRL)
CLASS(digit, DIGIT, 1)
CLASS(graph, GRAPH, GRAPH)
CLASS(lower, LOWER, LOWER)
CLASS(print, PRINT, PRINT)
CLASS(punct, PUNCT, PUNCT)
CLASS(space, SPACE, SPACE)
CLASS(upper, UPPER, UPPER)
CLASS(xdigit, XDIGIT, XDIGIT)

/* The classes by name answer with 1. */
static const char *const class_names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                          "lower", "print", "punct", "space", "upper", "xdigit"};
enum { CLASSES = sizeof class_names / sizeof *class_names };

REPLACEABLE wctype_t wctype(const char *name) {
  for (wctype_t i = 0; i < CLASSES; i++)
    if (strcmp(name, class_names[i]) == 0) return i + 1;
  return 0;
}

REPLACEABLE int iswctype(wint_t c, wctype_t type) {
  static int (*const classes[])(wint_t) = {iswalnum, iswalpha, iswblank, iswcntrl, iswdigit, iswgraph,
                                           iswlower, iswprint, iswpunct, iswspace, iswupper, iswxdigit};
  return type >= 1 && type <= CLASSES && classes[type - 1](c) != 0;
}

REPLACEABLE wctype_t __wctype_l(const char *name, locale_t locale) {
  (void)locale;
  return wctype(name);
}

REPLACEABLE int __iswctype_l(wint_t c, wctype_t type, locale_t locale) {
  (void)locale;
  return iswctype(c, type);
}

weak_alias(__wctype_l, wctype_l);
weak_alias(__iswctype_l, iswctype_l);

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
