// `strtod` leaves errno alone where there is no number, and a NaN has a sign.
//! exits: 1 2 3
#include <errno.h>
#include <klee/klee.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
  char text[5];
  klee_make_symbolic(text, sizeof text, "text");
  text[4] = 0;
  klee_assume(text[0] == '-' || text[0] == 'x');
  klee_assume((text[1] == 'n') | (text[1] == '1'));
  klee_assume(text[2] == 'a');
  errno = 0;
  double value = strtod(text, 0);
  if (errno != 0)
    return 9;
  if (isnan(value))
    return signbit(value) ? 1 : 9;
  if (value == 0)
    return 2;
  return value == -1 ? 3 : 9;
}
