// INPUT 1
#include "target.h"
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  if (!p)
    return 1;
  *p = in();
  int v = *p;
  free(p);
  p = malloc(4);
  if (!p)
    return 1;
  *p = v + 1;
  if (*p == 2 && v == 1)
    target();
  return 0;
}
