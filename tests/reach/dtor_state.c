// INPUT 4
#include "target.h"
static int state = 1;
__attribute__((destructor)) static void late(void) {
  if (state == 4)
    target();
}
int main(void) {
  state = in();
  return 0;
}
