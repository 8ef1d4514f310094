// Constructors run before `main` in order of priority, destructors after it.
//! exits: 0 1 7
#include <klee/klee.h>
#include <unistd.h>

static volatile int order;

__attribute__((constructor(201))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
__attribute__((constructor)) static void third(void) { order = order * 10 + 3; }
__attribute__((destructor)) static void last(void) {
  if (order == 5)
    _exit(7);
}

int main(void) {
  if (order != 123)
    return 2;
  int x = klee_int("x");
  if (x == 55)
    order = 5;
  if (x > 100)
    return 1;
  return 0;
}
