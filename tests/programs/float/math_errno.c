// Mathematical functions set errno, without a path of their own for it.
//! exits: 0 1 2 3
//! paths[O0]: 4
//! complete: yes
#include <errno.h>
#include <klee/klee.h>
#include <math.h>

int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  errno = 0;
  volatile double root = sqrt(x);
  if (errno == EDOM)
    return 1;
  volatile double rest = fmod(7, x);
  if (errno == EDOM)
    return x == 0 ? 2 : 9;
  errno = 0;
  volatile double power = pow(4, 600);
  if (errno != ERANGE)
    return 8;
  errno = 0;
  volatile double logarithm = log(x - x);
  if (errno == ERANGE)
    return 3;
  return root + rest + power + logarithm == 5;
}
