// INPUT 4
#include "target.h"
#include <stdlib.h>
static int state = 1;
static void late(void) {
  if (state == 4)
    target();
}
int main(void) {
  at_quick_exit(late);
  state = in();
  quick_exit(0);
}
