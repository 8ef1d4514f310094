// INPUT 3
#include "target.h"
#include <fenv.h>
int main(void) {
  volatile double x = in();
  feclearexcept(FE_ALL_EXCEPT);
  volatile double y = 1 / x;
  if (x == 3 && fetestexcept(FE_INEXACT))
    target();
  return y > 5;
}
