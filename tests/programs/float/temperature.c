// Celsius to Fahrenheit with a threshold.
//! exits: 0 1 2
//! paths[O0]: 3
#include <klee/klee.h>

int main(void) {
  short tenths;
  klee_make_symbolic(&tenths, sizeof tenths, "tenths");
  float celsius = (float)tenths * 0.5f;
  float fahrenheit = celsius * 2.0f + 32.0f;
  if (fahrenheit > 212.0f)
    return 1;
  if (fahrenheit == celsius)
    return 2;
  return 0;
}
