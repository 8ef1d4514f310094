// INPUT 5
#include "target.h"
int main(void) {
  _BitInt(17) x = (_BitInt(17))in();
  unsigned _BitInt(5) y = (unsigned _BitInt(5))x;
  x = x * 4096;
  if (y == 5 && x == 20480)
    target();
  return 0;
}
