// A symbolic value is printed: no fork, and the path goes on.
//! exits: 0 1
//! paths[O0]: 2
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x = klee_int("x");
  char s[32];
  int n = sprintf(s, "value");
  printf("%d %s\n", x, s);
  if (n != 5)
    return 9;
  if (x == 77)
    return 1;
  return 0;
}
