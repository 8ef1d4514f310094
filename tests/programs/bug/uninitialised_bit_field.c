// One bit-field is forgotten; those that share its byte were set.
//! args: --check uninit
//! levels: O0
//! exits: 0
#include <klee/klee.h>

struct flags {
  unsigned urgent : 1;
  unsigned done : 1;
  signed count : 6;
};

volatile int urgent;

int main(void) {
  struct flags f;
  f.done = klee_int("x");
  f.count = 3;
  if (f.done)
    f.urgent = 1;
  if (f.count > 2 && f.urgent) //~ BUG uninitialised
    urgent++;
  return 0;
}
