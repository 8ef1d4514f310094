/* Conditions that depend on each other through a function; both targets can be reached.
 *
 * TARGET target reached
 * TARGET target2 reached
 */
#include "reach.h"

static int twice(int value) { return 2 * value; }

int main(void) {
  int first = __VERIFIER_nondet_int();
  int second = __VERIFIER_nondet_int();
  if (first != second) {
    if (twice(first) == first + 10)
      target();
    if (first == second + 3 && second == twice(first))
      target2();
  }
  return 0;
}
