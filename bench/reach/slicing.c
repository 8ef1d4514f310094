/* N branches that the target does not depend on.
 *
 * TARGET target reached
 */
#include "reach.h"

#ifndef N
#define N 10
#endif

int main(void) {
  int key = __VERIFIER_nondet_int();
  unsigned noise = (unsigned)__VERIFIER_nondet_int();
  unsigned count = 0;
#define CASE(i) \
  if (noise % (i + 2) == 1) \
    count += i; \
  else \
    count ^= noise;
  REPEAT
#undef CASE
  if (key * 3 == 51)
    target();
  return (int)(count & 1);
}
