// `puts` returns how much it has written, and `fputs` a positive number.
//! exits: 0
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  text[3] = 0;
  if (puts(text) != (int)strlen(text) + 1)
    return 1;
  return fputs(text, stderr) != 1;
}
