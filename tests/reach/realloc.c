// INPUT 6
#include "target.h"
#include <stdlib.h>
int main(void) {
  int *p = calloc(2, 4);
  if (!p)
    return 1;
  p[1] = in();
  p = realloc(p, 64);
  if (!p)
    return 1;
  if (p[1] == 6 && p[0] == 0)
    target();
  return 0;
}
