// INPUT 2
#include "target.h"
static int x, y, *px = &x, **ppx = &px;
int main(void) {
  if (in() == 2)
    *ppx = &y;
  *px = 5;
  if (y == 5 && x == 0)
    target();
  return 0;
}
