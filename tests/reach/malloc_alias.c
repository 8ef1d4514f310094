// INPUT 1
#include "target.h"
#include <stdlib.h>
int main(void) {
  int *p = malloc(8), *q = malloc(8);
  if (!p || !q)
    return 1;
  int *r = in() == 1 ? p : q;
  *p = 1;
  *q = 2;
  *r = 3;
  if (*p == 3 && *q == 2)
    target();
  return 0;
}
