// A floating-point number in memory: its text is opaque to the solver, but what was tried is right.
//! levels: O0
//! exits: 0 1
#include <stdio.h>
#include <string.h>
#include "klee/klee.h"

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  char text[32];
  snprintf(text, sizeof text, "%.1f", x / 2.0);
  printf("%g\n", x / 4.0);
  return strlen(text) > 4;
}
