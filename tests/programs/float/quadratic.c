// The discriminant of a quadratic with small integer coefficients.
//! exits: 0 1 2
//! paths[O0]: 3
#include <klee/klee.h>

int main(void) {
  signed char p, q;
  klee_make_symbolic(&p, sizeof p, "p");
  klee_make_symbolic(&q, sizeof q, "q");
  float b = p, c = q;
  float discriminant = b * b - 4.0f * c;
  if (discriminant < 0.0f)
    return 0;
  if (discriminant == 0.0f)
    return 1;
  return 2;
}
