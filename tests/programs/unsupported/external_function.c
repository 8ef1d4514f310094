// A function of the GNU C library that is not modelled.
//! exits: 0 1
//! unsupported: gnu_get_libc_version
#include <gnu/libc-version.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 100)
    return gnu_get_libc_version()[0] == 0;
  if (x == 101)
    return 1;
  return 0;
}
