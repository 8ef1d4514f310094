// INPUT 2
#include "target.h"
#include <stdlib.h>
static void die(int x) {
  if (x == 1)
    exit(1);
}
int main(void) {
  int x = in();
  die(x);
  if (x == 2)
    target();
  return 0;
}
