// A look-up that finds nothing returns a null pointer, which is read.
//! exits: 10 20
//! paths[O0]: 3
#include <klee/klee.h>

int ten = 10, twenty = 20;

__attribute__((noinline)) int *find(int key) {
  if (key == 1)
    return &ten;
  if (key == 2)
    return &twenty;
  return 0;
}

int main(void) {
  int *p = find(klee_int("key"));
  volatile int *v = p;
  return *v; //~ BUG null-pointer
}
