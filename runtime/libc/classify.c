/* Classification of floating-point numbers as functions, which glibc's headers use; musl has only macros. */
#include "replaceable.h"

/* An infinity has the sign of the number: 1 or -1. */
#define CLASSIFY(type, suffix)                                                                     \
  REPLACEABLE int __isnan##suffix(type x) { return __builtin_isnan(x); }                           \
  REPLACEABLE int isnan##suffix(type x) { return __builtin_isnan(x); }                             \
  REPLACEABLE int __isinf##suffix(type x) { return __builtin_isinf_sign(x); }                      \
  REPLACEABLE int isinf##suffix(type x) { return __builtin_isinf_sign(x); }                        \
  REPLACEABLE int __finite##suffix(type x) { return __builtin_isfinite(x); }

CLASSIFY(float, f)
CLASSIFY(double, )
CLASSIFY(long double, l)

REPLACEABLE int finitel(long double x) { return __builtin_isfinite(x); }
