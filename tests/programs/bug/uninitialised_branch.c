// A variable is set on one path only, and decides in the end.
// An optimising compiler takes what it likes for the undefined value.
//! args: --check uninit
//! levels: O0
//! exits: 0 1
#include <klee/klee.h>

volatile int sink;

int main(void) {
  int mode = klee_range(0, 3, "mode");
  int flag;
  int *p = &flag;
  if (mode == 1)
    *p = 0;
  if (mode == 2)
    *p = 1;
  if (*p) //~ BUG uninitialised
    return 1;
  return 0;
}
