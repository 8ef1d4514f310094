// INPUT 4
#include "target.h"
static int state, count;
static void step(int x) {
  switch (state) {
  case 0:
    if (x)
      state = 1;
    break;
  case 1:
    count++;
    state = count > 2 ? 2 : 0;
    break;
  default:
    target();
  }
}
int main(void) {
  int n = in();
  for (int i = 0; i < 20; i++)
    step(n);
  return 0;
}
