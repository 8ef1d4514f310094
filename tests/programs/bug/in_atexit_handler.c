// A handler that runs at exit finds the flag that was set.
//! exits: 0
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

static volatile int open_files;

static void at_end(void) {
  assert(open_files == 0); //~ BUG assertion
}

int main(void) {
  atexit(at_end);
  int x = klee_int("x");
  open_files++;
  if (x != 8)
    open_files--;
  return 0;
}
