// A switch that jumps into a loop.
//! exits: 0
//! paths[O0]: 7
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int n = klee_range(1, 8, "n");
  volatile int done = 0;
  int rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      done++; /* fall through */
    case 3:
      done++; /* fall through */
    case 2:
      done++; /* fall through */
    case 1:
      done++;
    } while (--rounds > 0);
  }
  assert(done == n);
  return 0;
}
