// INPUT 3
#include "target.h"
static int s;
static void late(void) {
  if (s == 3)
    target();
}
__attribute__((section(".fini_array"), used)) static void (*entries[])(void) = {late};
int main(void) {
  s = in();
  return 0;
}
