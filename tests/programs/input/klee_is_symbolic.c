// A program may ask what is symbolic; in replay it gets the same answers.
//! exits: 1 3
#include "klee/klee.h"

int main(void) {
  int x = klee_int("x"), y = 5, answers = 0;
  if (klee_is_symbolic((unsigned long)x)) answers |= 1;
  if (x == 7) y = x + klee_int("z");
  if (klee_is_symbolic((unsigned long)y)) answers |= 2;
  return answers;
}
