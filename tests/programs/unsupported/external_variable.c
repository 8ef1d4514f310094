// A variable that no file defines: nothing is known about its value or its size, but it has an address.
//! exits: 0
//! unsupported: external variable `settings`
//! paths: 1
#include <klee/klee.h>

extern int settings[];
extern int defaults __attribute__((weak));

int main(void) {
  int i = klee_range(0, 3, "i");
  if (&defaults)
    return 9;
  return i == 0 ? settings == 0 : i == 1 ? settings[0] : settings[i];
}
