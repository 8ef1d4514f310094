// Without the check, nothing is given up as long as only elements that were written are read.
//! levels: O0
//! exits: 0 1 2
//! complete: yes
#include <klee/klee.h>

int main(void) {
  unsigned char i;
  klee_make_symbolic(&i, 1, "i");
  int table[4];
  table[0] = 3;
  table[1] = 6;
  if (i > 1)
    return 2;
  if (table[i] == 6)
    return 1;
  return 0;
}
