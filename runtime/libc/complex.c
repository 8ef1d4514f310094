/* The multiplication and division of complex numbers that clang calls, as annex G of the C standard
 * asks for them: an infinite operand gives an infinite result even where the formula gives a NaN. */
#include <complex.h>
#include <math.h>

/* The sign of `x`, with the magnitude 1 for an infinity and 0 for everything else. */
#define BOX(copysign, x) copysign(isinf(x) ? 1 : 0, x)
/* A NaN becomes a zero of its sign. */
#define UNNAN(copysign, x) (isnan(x) ? copysign(0, x) : (x))

#define MULTIPLY(name, type, copysign)                                         \
  type _Complex name(type a, type b, type c, type d) {                         \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                       \
    type x = ac - bd, y = ad + bc;                                             \
    if (isnan(x) && isnan(y)) {                                                \
      int again = 0;                                                           \
      if (isinf(a) || isinf(b)) {                                              \
        a = BOX(copysign, a), b = BOX(copysign, b);                            \
        c = UNNAN(copysign, c), d = UNNAN(copysign, d);                        \
        again = 1;                                                             \
      }                                                                        \
      if (isinf(c) || isinf(d)) {                                              \
        c = BOX(copysign, c), d = BOX(copysign, d);                            \
        a = UNNAN(copysign, a), b = UNNAN(copysign, b);                        \
        again = 1;                                                             \
      }                                                                        \
      if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {      \
        a = UNNAN(copysign, a), b = UNNAN(copysign, b);                        \
        c = UNNAN(copysign, c), d = UNNAN(copysign, d);                        \
        again = 1;                                                             \
      }                                                                        \
      if (again) {                                                             \
        x = (type)INFINITY * (a * c - b * d);                                  \
        y = (type)INFINITY * (a * d + b * c);                                  \
      }                                                                        \
    }                                                                          \
    return __builtin_complex(x, y);                                            \
  }

/* The divisor is scaled by a power of two so that its square neither overflows nor vanishes. */
#define DIVIDE(name, type, copysign, logb, scalbn, fmax, fabs)                 \
  type _Complex name(type a, type b, type c, type d) {                         \
    int scale = 0;                                                             \
    type exponent = logb(fmax(fabs(c), fabs(d)));                              \
    if (isfinite(exponent)) {                                                  \
      scale = (int)exponent;                                                   \
      c = scalbn(c, -scale), d = scalbn(d, -scale);                            \
    }                                                                          \
    type denominator = c * c + d * d;                                          \
    type x = scalbn((a * c + b * d) / denominator, -scale);                    \
    type y = scalbn((b * c - a * d) / denominator, -scale);                    \
    if (isnan(x) && isnan(y)) {                                                \
      if (denominator == 0 && (!isnan(a) || !isnan(b))) {                      \
        x = copysign((type)INFINITY, c) * a;                                   \
        y = copysign((type)INFINITY, c) * b;                                   \
      } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {       \
        a = BOX(copysign, a), b = BOX(copysign, b);                            \
        x = (type)INFINITY * (a * c + b * d);                                  \
        y = (type)INFINITY * (b * c - a * d);                                  \
      } else if (isinf(exponent) && exponent > 0 && isfinite(a) && isfinite(b)) { \
        c = BOX(copysign, c), d = BOX(copysign, d);                            \
        x = 0 * (a * c + b * d);                                               \
        y = 0 * (b * c - a * d);                                               \
      }                                                                        \
    }                                                                          \
    return __builtin_complex(x, y);                                            \
  }

MULTIPLY(__mulsc3, float, copysignf)
MULTIPLY(__muldc3, double, copysign)
MULTIPLY(__mulxc3, long double, copysignl)
DIVIDE(__divsc3, float, copysignf, logbf, scalbnf, fmaxf, fabsf)
DIVIDE(__divdc3, double, copysign, logb, scalbn, fmax, fabs)
DIVIDE(__divxc3, long double, copysignl, logbl, scalbnl, fmaxl, fabsl)
