/* Only one value of four billion stays negative when its sign is removed.
 *
 * TARGET target reached
 */
#include "reach.h"

int main(void) {
  int value = __VERIFIER_nondet_int();
  int magnitude = value < 0 ? -value : value;
  if (magnitude < 0)
    target();
  return 0;
}
