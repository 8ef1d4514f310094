// Exceptions of floating-point arithmetic are not recorded, so looking at them ends the path; asking for none does not.
//! unsupported: external function `__secateur_floating_point_exceptions`
#include <fenv.h>

int main(void) {
  feclearexcept(FE_ALL_EXCEPT);
  if (fetestexcept(0)) return 1;
  feraiseexcept(FE_OVERFLOW);
  return fetestexcept(FE_OVERFLOW);
}
