// The format itself is symbolic: it may read a pointer that is none, or write through one.
//! exits: 0 1
#include <stdio.h>
#include "klee/klee.h"

int main(void) {
  char format[3];
  klee_make_symbolic(format, sizeof format, "format");
  format[2] = 0;
  klee_assume((format[0] == '%') | (format[0] == 'a'));
  klee_assume((format[1] == 's') | (format[1] == 'n') | (format[1] == 'd'));
  int count = -1;
  char out[32];
  snprintf(out, sizeof out, "ab%n", &count);
  if (count != 2) return 9;
  int *none = 0;
  sprintf(out, format, none); //~ BUG null-pointer
  return out[0] == 'a';
}
