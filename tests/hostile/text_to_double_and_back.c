#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "klee/klee.h"

/* A number read, printed and read again: the formula is huge before any of it is solved. */
int main(void) {
  char text[8], printed[64];
  klee_make_symbolic(text, sizeof text, "text");
  text[7] = 0;
  double x = strtod(text, 0);
  sprintf(printed, "%.17g", x);
  double y = 0;
  if (sscanf(printed, "%lf", &y) == 1 && y > 3.5) return 1;
  return 0;
}
