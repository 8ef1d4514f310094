/* Mathematical functions that set errno, as glibc's do; musl's do not. The machine and musl compute the results.
 *
 * Whether there is an error is computed without a branch, so that no path is made for it unless the program looks
 * at errno. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <errno.h>
#include <float.h>
#include <math.h>

extern int __signgam;

static void set_errno(int domain, int range) { errno = domain ? EDOM : range ? ERANGE : errno; }

/* One evaluation of each operand, and no branches. */
#define FINITE(x) ((x) - (x) == 0)
#define NUMBER(x) ((x) == (x))
#define BEYOND(x, limit) (((x) > (limit)) | ((x) < -(limit)))

#define SUBNORMAL(x, least) (((x) < (least)) & ((x) > -(least)))

#define UNARY(type, name, domain, range)                \
  type __secateur_##name(type);                         \
  REPLACEABLE type name(type x) {                       \
    type y = __secateur_##name(x);                      \
    set_errno(domain, range);                           \
    return y;                                           \
  }

#define UNARY_BOTH(name, domain, range) UNARY(double, name, domain, range) UNARY(float, name##f, domain, range)

/* Functions without errors. */
#define TOTAL(type, name)                               \
  type __secateur_##name(type);                         \
  REPLACEABLE type name(type x) { return __secateur_##name(x); }

#define TOTAL_BOTH(name) TOTAL(double, name) TOTAL(float, name##f)

#define BINARY(type, prefix, name, domain, range)       \
  type prefix##name(type, type);                        \
  REPLACEABLE type name(type x, type y) {               \
    type z = prefix##name(x, y);                        \
    set_errno(domain, range);                           \
    return z;                                           \
  }

#define BINARY_BOTH(prefix, name, domain, range)        \
  BINARY(double, prefix, name, domain, range)           \
  BINARY(float, prefix, name##f, domain, range)

UNARY_BOTH(sqrt, x < 0, 0)
UNARY_BOTH(sin, !FINITE(x) & NUMBER(x), 0)
UNARY_BOTH(cos, !FINITE(x) & NUMBER(x), 0)
UNARY_BOTH(tan, !FINITE(x) & NUMBER(x), 0)
UNARY_BOTH(asin, BEYOND(x, 1), 0)
UNARY_BOTH(acos, BEYOND(x, 1), 0)
TOTAL_BOTH(atan)
UNARY_BOTH(sinh, 0, FINITE(x) & !FINITE(y))
UNARY_BOTH(cosh, 0, FINITE(x) & !FINITE(y))
TOTAL_BOTH(tanh)
TOTAL_BOTH(asinh)
UNARY_BOTH(acosh, x < 1, 0)
UNARY_BOTH(atanh, BEYOND(x, 1), (x == 1) | (x == -1))
UNARY_BOTH(exp, 0, FINITE(x) & (!FINITE(y) | (y == 0)))
UNARY_BOTH(exp2, 0, FINITE(x) & (!FINITE(y) | (y == 0)))
UNARY_BOTH(exp10, 0, FINITE(x) & (!FINITE(y) | (y == 0)))
UNARY_BOTH(expm1, 0, FINITE(x) & !FINITE(y))
UNARY_BOTH(log, x < 0, x == 0)
UNARY_BOTH(log2, x < 0, x == 0)
UNARY_BOTH(log10, x < 0, x == 0)
UNARY_BOTH(log1p, x < -1, x == -1)
TOTAL_BOTH(cbrt)
TOTAL_BOTH(erf)
UNARY_BOTH(erfc, 0, FINITE(x) & (y == 0))
UNARY_BOTH(tgamma, (x < 0) & !NUMBER(y), FINITE(x) & (!FINITE(y) | (y == 0)))
TOTAL_BOTH(j0)
UNARY_BOTH(j1, 0, (x != 0) & FINITE(x) & (y == 0))
UNARY_BOTH(y0, x < 0, x == 0)
UNARY_BOTH(y1, x < 0, (x >= 0) & FINITE(x) & !FINITE(y))

BINARY_BOTH(__secateur_, pow, NUMBER(x) & NUMBER(y) & !NUMBER(z),
            FINITE(x) & FINITE(y) & (!FINITE(z) | ((z == 0) & (x != 0))))
BINARY_BOTH(__secateur_, atan2, 0, (z == 0) & (x != 0) & FINITE(y))
BINARY_BOTH(__secateur_, hypot, 0, FINITE(x) & FINITE(y) & !FINITE(z))
BINARY_BOTH(__secateur_, fmod, NUMBER(x) & NUMBER(y) & !NUMBER(z), 0)
BINARY_BOTH(__secateur_, fdim, 0, FINITE(x) & FINITE(y) & !FINITE(z))
BINARY(double, __musl_, nextafter, 0, (x != y) & (x != 0) & FINITE(x) & NUMBER(y) & (!FINITE(z) | SUBNORMAL(z, DBL_MIN)))
BINARY(float, __musl_, nextafterf, 0, (x != y) & (x != 0) & FINITE(x) & NUMBER(y) & (!FINITE(z) | SUBNORMAL(z, FLT_MIN)))

#define REMAINDER(type, name, remquo, other_name)                                  \
  REPLACEABLE type name(type x, type y) {                                          \
    int quotient;                                                                  \
    type z = remquo(x, y, &quotient);                                              \
    set_errno(NUMBER(x) & NUMBER(y) & !NUMBER(z), 0);                              \
    return z;                                                                      \
  }                                                                                \
  REPLACEABLE type other_name(type x, type y) { return name(x, y); }

REMAINDER(double, remainder, remquo, drem)
REMAINDER(float, remainderf, remquof, dremf)

#define SCALE(type, name)                                                          \
  type __musl_##name(type, int);                                                   \
  REPLACEABLE type name(type x, int n) {                                           \
    type z = __musl_##name(x, n);                                                  \
    set_errno(0, FINITE(x) & (x != 0) & (!FINITE(z) | (z == 0)));                  \
    return z;                                                                      \
  }

SCALE(double, scalbn)
SCALE(float, scalbnf)

#define LOGB(type, name)                                                           \
  int __musl_##name(type);                                                         \
  REPLACEABLE int name(type x) {                                                   \
    set_errno(!FINITE(x) | (x == 0), 0);                                           \
    return __musl_##name(x);                                                       \
  }

LOGB(double, ilogb)
LOGB(float, ilogbf)

#define SINE_AND_COSINE(type, name, sin, cos)                                      \
  REPLACEABLE void name(type x, type *sine, type *cosine) {                        \
    type value = sin(x);                                                           \
    *cosine = cos(x);                                                              \
    *sine = value;                                                                 \
  }

SINE_AND_COSINE(double, sincos, sin, cos)
SINE_AND_COSINE(float, sincosf, sinf, cosf)

/* The sign of the gamma function: it is negative between some negative integers. */
static int sign_of_gamma(double x) {
  double size = fabs(x), whole = floor(size);
  if (!signbit(x)) return 1;
  return size == 0 || (size != whole && whole / 2 == floor(whole / 2)) ? -1 : 1;
}

#define LOG_GAMMA(type, name)                                                      \
  type __secateur_##name(type);                                                    \
  REPLACEABLE type name##_r(type x, int *sign) {                                   \
    type y = __secateur_##name(x);                                                 \
    *sign = sign_of_gamma(x);                                                      \
    set_errno(0, FINITE(x) & !FINITE(y));                                          \
    return y;                                                                      \
  }                                                                                \
  REPLACEABLE type name(type x) { return name##_r(x, &__signgam); }

LOG_GAMMA(double, lgamma)
LOG_GAMMA(float, lgammaf)
