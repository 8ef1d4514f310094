// INPUT 3
#include "target.h"
static _Thread_local int t = 7;
int main(void) {
  int a = t;
  t = in();
  if (a == 7 && t == 3)
    target();
  return 0;
}
