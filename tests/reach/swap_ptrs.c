// INPUT 1
#include "target.h"
static void swap(int **a, int **b) {
  int *t = *a;
  *a = *b;
  *b = t;
}
int main(void) {
  int x = 1, y = 2;
  int *p = &x, *q = &y;
  if (in())
    swap(&p, &q);
  *p = 10;
  if (y == 10 && x == 1)
    target();
  return 0;
}
