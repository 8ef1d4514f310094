// INPUT 2147483647
#include "target.h"
int main(void) {
  int x = in(), r;
  if (__builtin_add_overflow(x, 1, &r) && r < 0)
    target();
  return 0;
}
