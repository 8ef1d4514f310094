/* A loop that must turn a few times.
 *
 * TARGET target reached
 */
#include "reach.h"

int main(void) {
  int limit = __VERIFIER_nondet_int();
  int product = 1;
  for (int i = 2; i <= limit; i++)
    product *= i;
  if (product == 120)
    target();
  return 0;
}
