// Text in memory: the digits of a number and the characters of a string stay symbolic, and every length is a path.
//! exits: 0 1 2 3
#include <stdio.h>
#include <string.h>
#include "klee/klee.h"

int main(void) {
  short x;
  klee_make_symbolic(&x, sizeof x, "x");
  char text[32];
  int n = snprintf(text, sizeof text, "<%+d>", x);
  if (n != (int)strlen(text)) return 9;
  if (strcmp(text, "<-417>") == 0) return 1;
  snprintf(text, sizeof text, "%#06x", (unsigned short)x);
  if (text[2] == 'b' && text[5] == '7') return 2;
  sprintf(text, "%hho", (unsigned char)x);
  return strlen(text) == 3 && text[1] == '5' ? 3 : 0;
}
