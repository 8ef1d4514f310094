// INPUT 2
#include "target.h"
static struct {
  int before;
  int a[4];
} s;
int main(void) {
  int i = in();
  if (i < 0 || i > 3)
    return 0;
  int *p = &s.a[2];
  p[-i] = 5;
  if (s.a[0] == 5)
    target();
  return 0;
}
