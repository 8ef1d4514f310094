// INPUT 3
#include "target.h"
static int next(void) {
  static int n = 10;
  return n++;
}
int main(void) {
  int k = in();
  if (k > 4)
    return 0;
  int last = 0;
  for (int i = 0; i < k; i++)
    last = next();
  if (last == 12)
    target();
  return 0;
}
