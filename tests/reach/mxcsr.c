// INPUT 1
#include "target.h"
#include <xmmintrin.h>
int main(void) {
  _MM_SET_ROUNDING_MODE(_MM_ROUND_UP);
  volatile double x = in();
  volatile double y = x / 3;
  if (y * 3 > 1 && x == 1)
    target();
  return 0;
}
