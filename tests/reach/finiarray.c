// INPUT
#include "target.h"
static void late(void) {
  target();
}
__attribute__((section(".fini_array"), used)) static void (*entry)(void) = late;
int main(void) {
  return 0;
}
