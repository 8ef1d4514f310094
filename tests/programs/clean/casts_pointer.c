// Pointers become integers and come back.
//! exits: 0 1
#include <klee/klee.h>
#include <stdint.h>

int values[4] = {1, 2, 3, 4};

int main(void) {
  unsigned i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 4)
    return 0;
  uintptr_t address = (uintptr_t)values;
  address += i * sizeof(int);
  int *p = (int *)address;
  if (*p != (int)i + 1)
    return 2;
  return (uintptr_t)(p + 1) - address == sizeof(int);
}
