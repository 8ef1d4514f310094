// INPUT 513
#include "target.h"
#include <string.h>
int main(void) {
  int x = in();
  unsigned char *p = (unsigned char *)&x;
  p[3] = 0;
  p[2] = 7;
  int y;
  memcpy(&y, p, 4);
  if (y == 0x070201)
    target();
  return 0;
}
