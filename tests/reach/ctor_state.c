// INPUT
#include "target.h"
static int state = 1;
__attribute__((constructor)) static void early(void) {
  state = 2;
}
int main(void) {
  if (state == 2)
    target();
  return 0;
}
