// INPUT
#include "target.h"
static int impl(void) {
  return 3;
}
static int (*resolve(void))(void) {
  return impl;
}
int f(void) __attribute__((ifunc("resolve")));
int main(void) {
  if (f() == 3)
    target();
  return 0;
}
