// INPUT 12
#include "target.h"
#include <stdio.h>
int main(void) {
  char b[16];
  int x = in(), y = 0;
  if (x < 0 || x > 99)
    return 0;
  snprintf(b, sizeof b, "%d", x * 2);
  sscanf(b, "%d", &y);
  if (y == 24)
    target();
  return 0;
}
