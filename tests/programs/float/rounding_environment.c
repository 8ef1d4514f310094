// fegetenv, fesetenv, feholdexcept and feupdateenv carry the rounding mode along; a mode that is none is refused.
//! exits: 0 1
#include <fenv.h>
#include "klee/klee.h"

__attribute__((noinline)) float quotient(volatile float x, volatile float y) { return x / y; }

int main(void) {
  int mode;
  fenv_t before, held;
  klee_make_symbolic(&mode, sizeof mode, "mode");
  klee_assume(mode != FE_TONEAREST);
  klee_assume(mode != FE_TOWARDZERO);
  klee_assume(mode != FE_DOWNWARD);
  if (fesetround(mode) != 0) return 1;
  if (fegetround() != FE_UPWARD) return 2;
  float up = quotient(1, 3);
  fegetenv(&before);
  feholdexcept(&held);
  fesetenv(FE_DFL_ENV);
  if (fegetround() != FE_TONEAREST) return 3;
  fesetround(FE_TOWARDZERO);
  float cut = quotient(1, 3);
  if (cut >= up) return 4;
  fesetenv(&before);
  if (quotient(1, 3) != up) return 5;
  fesetround(FE_DOWNWARD);
  feupdateenv(&held);
  if (quotient(1, 3) != up) return 6;
  return 0;
}
