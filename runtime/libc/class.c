/* Classes of characters in the C locale, where they are called as functions. */
#define _GNU_SOURCE
#include "classes.h"
#include "replaceable.h"

#include <ctype.h>

#define CLASS(name, NAME)                                                       \
  REPLACEABLE int(is##name)(int c) { return IS_##NAME(c) ? NAME : 0; }          \
  REPLACEABLE int __is##name##_l(int c, locale_t locale) {                      \
    (void)locale;                                                               \
    return (is##name)(c);                                                       \
  }                                                                             \
  weak_alias(__is##name##_l, is##name##_l);

CLASS(alnum, ALNUM)
CLASS(alpha, ALPHA)
CLASS(blank, BLANK)
CLASS(cntrl, CNTRL)
CLASS(digit, DIGIT)
CLASS(graph, GRAPH)
CLASS(lower, LOWER)
CLASS(print, PRINT)
CLASS(punct, PUNCT)
CLASS(space, SPACE)
CLASS(upper, UPPER)
CLASS(xdigit, XDIGIT)
