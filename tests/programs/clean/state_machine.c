// A machine that accepts (ab)*c.
//! exits: 0 1
//! branches[O0]: all
#include <klee/klee.h>

int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  enum { START, SEEN_A, DONE, ERROR } state = START;
  for (int i = 0; i < 5 && state != ERROR; i++) {
    switch (state) {
    case START:
      state = s[i] == 'a' ? SEEN_A : s[i] == 'c' ? DONE : ERROR;
      break;
    case SEEN_A:
      state = s[i] == 'b' ? START : ERROR;
      break;
    default:
      state = ERROR;
    }
  }
  if (state == DONE)
    return 1;
  return 0;
}
