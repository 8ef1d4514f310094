// INPUT -1
#include "target.h"
int main(void) {
  int x = in();
  if ((x >> 31) == -1 && ((unsigned)x >> 31) == 1 && (x << 1) == -2)
    target();
  return 0;
}
