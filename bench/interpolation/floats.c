// Floating point: a controller that heats or cools by input and keeps its temperature within limits; the comparisons decide.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DN=8
#include "verifier.h"

#ifndef N
#define N 40
#endif

int main(void) {
  double temperature = 20.0, used = 0.0;
  int heating = 0;
  for (int i = 0; i < N; i++) {
    if (flag()) {
      if (temperature < 22.0)
        heating = 1;
      else
        heating = 0;
    }
    if (heating) {
      temperature += 0.5;
      used += 0.25;
#ifdef BUG
      if (temperature >= 23.5)
#else
      if (temperature >= 22.5)
#endif
        heating = 0;
    } else if (temperature > 15.0) {
      temperature -= 0.75;
    }
    assert(temperature >= 14.0 && temperature <= 23.0); //~ BUG assertion
  }
  assert(used <= 0.25 * N);
  return 0;
}
