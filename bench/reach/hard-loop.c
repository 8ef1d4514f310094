/* A loop that must turn 2,000 times, with a remainder in it, and a sine in the last condition: neither unrolling nor a
 * solver gets through.
 *
 * TARGET target reached
 */
#include "reach.h"
#include <math.h>

int main(void) {
  int rounds = __VERIFIER_nondet_int();
  double angle = __VERIFIER_nondet_double();
  int sum = 0;
  for (int i = 1; i <= rounds; i++)
    sum += i % 3;
  if (sum == 2001 && sin(angle) > 0.99)
    target();
  return 0;
}
