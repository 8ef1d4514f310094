// A nondeterministic choice in every round.
//! exits: 0 1 2 3
#include <svcomp.h>

int main(void) {
  int steps = 0;
  while (steps < 3 && __VERIFIER_nondet_int() == 7)
    steps++;
  return steps;
}
