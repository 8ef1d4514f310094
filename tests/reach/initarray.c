// INPUT
#include "target.h"
static void early(void) {
  target();
}
__attribute__((section(".init_array"), used)) static void (*entry)(void) = early;
int main(void) {
  return 0;
}
