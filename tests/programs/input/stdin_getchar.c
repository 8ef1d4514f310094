// Standard input, one character at a time, to its end.
//! args: --sym-stdin 3
//! exits: 0 1 2
#include <stdio.h>

int main(void) {
  int c, n = 0, match = 0;
  while ((c = getchar()) != EOF) {
    if (c == "abc"[n])
      match++;
    n++;
  }
  if (n != 3)
    return 3;
  return match == 3 ? 1 : match == 0 ? 2 : 0;
}
