// INPUT 4
#include "target.h"
static struct {
  int a[4];
  int after;
} s;
int main(void) {
  int i = in();
  if (i < 0 || i > 4)
    return 0;
  ((int *)&s)[i] = 5;
  if (s.after == 5)
    target();
  return 0;
}
