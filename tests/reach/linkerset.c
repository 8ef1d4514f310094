// INPUT
#include "target.h"
static void handler(void) {
  target();
}
typedef void (*fn)(void);
__attribute__((section("myset"), used)) static fn reg = handler;
extern fn __start_myset[], __stop_myset[];
int main(void) {
  for (fn *p = __start_myset; p < __stop_myset; p++)
    (*p)();
  return 0;
}
