// INPUT 4
#include "target.h"
#include <stdlib.h>
static int state = 1;
static void late(void) {
  if (state == 4)
    target();
}
int main(void) {
  atexit(late);
  state = in();
  return 0;
}
