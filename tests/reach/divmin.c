// INPUT -2147483648
#include "target.h"
int main(void) {
  int x = in();
  if (x < 0 && -x < 0)
    target();
  return 0;
}
