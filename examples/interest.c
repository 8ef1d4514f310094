/* Floating point is symbolic: the solver finds the numbers for which a comparison holds, also where rounding decides.
 *
 *     secateur run examples/interest.c
 */
#include <assert.h>
#include <crest.h>

int main(void) {
  float balance, rate;
  CREST_float(balance);
  CREST_float(rate);
  if (!(balance >= 1.0f && balance <= 1000.0f)) return 1;
  if (!(rate > 0.0f && rate < 0.5f)) return 1;

  float after = balance + balance * rate;
  if (after == 1000.5f) return 2; /* some balance and rate give exactly this */
  assert(after > balance);        /* interest always pays, does it not? */
  return 0;
}
