// __builtin_object_size knows objects of fixed size.
// Without optimisation only the size of a variable itself is known.
//! exits: 0 1
#include <klee/klee.h>

static char buffer[24];

int main(void) {
  int x = klee_int("x");
  if (__builtin_object_size(buffer, 0) != 24)
    return 2;
  if (__builtin_object_size(buffer + 4, 1) != 20)
    return 3;
  volatile char *unknown = x ? buffer : 0;
  unsigned long size = __builtin_object_size((char *)unknown, 2);
  klee_assert((size == 0) | (size <= 24));
  if (x == 6)
    return 1;
  return 0;
}
