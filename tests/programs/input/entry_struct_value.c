// Structures by value: small ones travel in registers, large ones in memory.
//! args: --entry check
//! exits: 0
#include <assert.h>

struct small {
  int x;
  short y;
};
struct large {
  long values[5];
};

int check(struct small s, struct large l) {
  if (s.x == 3 && s.y == -4)
    assert(l.values[4] != 5); //~ BUG assertion
  return 0;
}
