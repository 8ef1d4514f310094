// INPUT 3
#include "target.h"
static volatile int v = 5;
int main(void) {
  v = in();
  int a = v;
  int b = v;
  if (a == 3 && b == 3)
    target();
  return 0;
}
