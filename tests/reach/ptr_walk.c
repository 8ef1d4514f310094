// INPUT 3,9
#include "target.h"
static int buf[8];
int main(void) {
  int n = in();
  int *p = buf, *e = buf + 8;
  while (p < e) {
    *p = (int)(p - buf) * n;
    p++;
  }
  if (n == 3 && p[-1] == 21 && *(e - 3) == 15)
    target();
  return 0;
}
