// The protocol fails only after open, write, close, write.
//! exits: 0 1
#include <assert.h>
#include <klee/klee.h>

enum state { CLOSED, OPEN, DIRTY };

int main(void) {
  char ops[4];
  klee_make_symbolic(ops, sizeof ops, "ops");
  volatile enum state s = CLOSED;
  volatile int was_dirty = 0;
  for (int i = 0; i < 4; i++) {
    switch (ops[i]) {
    case 'o':
      s = OPEN;
      break;
    case 'w':
      assert(!(s == CLOSED && was_dirty)); //~ BUG assertion
      if (s == CLOSED)
        return 1;
      s = DIRTY;
      break;
    case 'c':
      was_dirty = s == DIRTY;
      s = CLOSED;
      break;
    default:
      return 0;
    }
  }
  return 0;
}
