/* The floating-point environment, as far as it is modelled: the rounding mode.
 *
 * The machine keeps the mode. A mode that depends on the input is decided on by the comparisons here. */
#include "replaceable.h"

#include <fenv.h>

int __secateur_get_rounding(void);
void __secateur_set_rounding(int number);

/* Where the control words of the processor have the mode. */
enum { X87_SHIFT = 10, SSE_SHIFT = 13, SSE_MASKED = 0x1f80, X87_DEFAULT = 0x37f };

REPLACEABLE int fegetround(void) { return __secateur_get_rounding() << X87_SHIFT; }

/* Called by fesetround if the mode is one of these. */
int __fesetround(int mode) {
  if (mode == FE_TONEAREST)
    __secateur_set_rounding(0);
  else if (mode == FE_DOWNWARD)
    __secateur_set_rounding(1);
  else if (mode == FE_UPWARD)
    __secateur_set_rounding(2);
  else
    __secateur_set_rounding(3);
  return 0;
}

REPLACEABLE int fegetenv(fenv_t *environment) {
  unsigned number = (unsigned)__secateur_get_rounding();
  *environment = (fenv_t){
      .__control_word = (unsigned short)(X87_DEFAULT | number << X87_SHIFT),
      .__tags = 0xffff,
      .__mxcsr = SSE_MASKED | number << SSE_SHIFT,
  };
  return 0;
}

REPLACEABLE int fesetenv(const fenv_t *environment) {
  if (environment == FE_DFL_ENV) return fesetround(FE_TONEAREST);
  return fesetround((int)(environment->__mxcsr >> SSE_SHIFT & 3) << X87_SHIFT);
}

/* Exceptions are raised, but not recorded: what shows them is defined nowhere, so that the path ends. */
int __secateur_floating_point_exceptions(void);

REPLACEABLE int feclearexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

REPLACEABLE int feraiseexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

REPLACEABLE int fetestexcept(int exceptions) {
  return exceptions & FE_ALL_EXCEPT ? __secateur_floating_point_exceptions() : 0;
}

REPLACEABLE int fegetexceptflag(fexcept_t *flags, int exceptions) {
  *flags = exceptions & FE_ALL_EXCEPT ? (fexcept_t)__secateur_floating_point_exceptions() : 0;
  return 0;
}

/* musl's functions with an exact result set exceptions aside that they raise themselves (scripts/libc-member.sh). */
int __musl_fetestexcept(int);
int __musl_fetestexcept(int exceptions) {
  (void)exceptions;
  return 0;
}
