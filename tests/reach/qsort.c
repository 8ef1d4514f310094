// INPUT 3,1
#include "target.h"
#include <stdlib.h>
static int calls;
static int cmp(const void *a, const void *b) {
  calls++;
  if (*(const int *)a == 3 && *(const int *)b == 1 || *(const int *)a == 1 && *(const int *)b == 3)
    target();
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int v[2] = {in(), in()};
  qsort(v, 2, sizeof *v, cmp);
  return 0;
}
