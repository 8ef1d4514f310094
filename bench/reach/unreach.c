/* N branches, and then one within another that contradict each other.
 *
 * TARGET target unreachable
 */
#include "reach.h"

#ifndef N
#define N 10
#endif

int main(void) {
  int level = __VERIFIER_nondet_int();
  unsigned noise = (unsigned)__VERIFIER_nondet_int();
  unsigned count = 0;
#define CASE(i) \
  if (noise % (i + 2) == 1) \
    count += i;
  REPEAT
#undef CASE
  if (level > 0) {
    if (level < 0)
      target();
  }
  return (int)(count & 1);
}
