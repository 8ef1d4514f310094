// INPUT 9
#include "target.h"
static int a, b;
int main(void) {
  a = in();
  do {
    a -= 2;
  } while (a > 4);
  do {
    b += a;
  } while (b < 10);
  do {
    b--;
  } while (b > 5);
  if (a == 3 && b == 5)
    target();
  return 0;
}
