// INPUT 100
#include "target.h"
#include <stdio.h>
int main(void) {
  char b[32];
  int x = in();
  if (x < 0 || x > 1000)
    return 0;
  int n = sprintf(b, "%d-", x);
  if (n == 4 && b[3] == '-' && b[0] == '1')
    target();
  return 0;
}
