// INPUT 1,4
#include "target.h"
int main(void) {
  int x = in(), n = in(), c = 0;
  if (n > 6)
    return 0;
  if (x == 1)
    goto middle;
top:
  c += 2;
  if (c > 20)
    return 0;
middle:
  c += 1;
  if (--n > 0)
    goto top;
  if (c == 10)
    target();
  return 0;
}
