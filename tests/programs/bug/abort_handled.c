// The handler of SIGABRT runs before the program ends; one that exits prevents that.
//! exits: 0 3
#include <klee/klee.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int leaves;

static void handle(int signal) {
  if (leaves) _exit(3);
}

int main(void) {
  int x = klee_int("x");
  signal(SIGABRT, handle);
  if (x == 7) leaves = 1;
  if (x > 5)
    abort(); //~ BUG abort
  return 0;
}
