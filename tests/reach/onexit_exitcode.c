// INPUT 3
#include "target.h"
#include <stdlib.h>
static void late(void) {
  target();
}
int main(void) {
  if (in() == 3) {
    atexit(late);
    exit(2);
  }
  return 0;
}
