// A ring buffer in an endless loop: the indices run around, so that no state repeats before the buffer has; the count must
// agree with the indices, and no slot may be read before it is written.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! endless: yes
//! small: -DSIZE=3 -DROUNDS=5
#include "verifier.h"

#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
  unsigned head = 0, tail = 0, count = 0;
  char full[SIZE] = {0};
  FOREVER {
    switch (below_or(2)) {
    case 0: /* put */
#ifdef BUG
      if (count > SIZE)
        break;
#else
      if (count >= SIZE)
        break;
#endif
      assert(!full[tail]); //~ BUG assertion
      full[tail] = 1;
      tail = (tail + 1) % SIZE;
      count++;
      break;
    case 1: /* take */
      if (count == 0)
        break;
      assert(full[head]);
      full[head] = 0;
      head = (head + 1) % SIZE;
      count--;
      break;
    default:
      break;
    }
    assert(count <= SIZE);
    assert((head + count) % SIZE == tail);
  }
  return 0;
}
