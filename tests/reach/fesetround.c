// INPUT 1
#include "target.h"
#include <fenv.h>
int main(void) {
  fesetround(FE_UPWARD);
  volatile double x = in();
  volatile double y = x / 3;
  if (y * 3 > 1 && x == 1)
    target();
  return 0;
}
