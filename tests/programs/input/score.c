// Input through the macros of SCORE.
//! exits: 0 1 2
//! paths[O0]: 3
#include <score.h>

int main(void) {
  int x;
  unsigned int y;
  SYM_int(x);
  SYM_unsigned_int(y, "second");
  SYM_assume(x > 0);
  SYM_assert(x != 0);
  if (x == 7)
    return 1;
  if (y == 0xffffffff)
    return 2;
  return 0;
}
