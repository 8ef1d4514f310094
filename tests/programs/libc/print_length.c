// What printf returns depends on what it prints: on a number of digits, on where a string ends.
//! exits: 0 1 2 3
//! branches: all
#include <stdio.h>
#include "klee/klee.h"

int main(void) {
  int x;
  char s[4];
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  if (printf("%d\n", x) == 5) {
    if (x == -123) return 2;
    return 1;
  }
  if (printf("%s|", s) == 3) return 3;
  return fprintf(stderr, "[%4s%-3x]", s, (unsigned char)x) == 9 ? 0 : 9;
}
