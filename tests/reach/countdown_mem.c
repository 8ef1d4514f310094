// INPUT 40
#include "target.h"
static int left;
static int tick(void) {
  return --left;
}
int main(void) {
  left = in();
  if (left > 60)
    return 0;
  int n = 0;
  while (left > 0) {
    tick();
    n++;
  }
  if (n == 40)
    target();
  return 0;
}
