// Formatting values that the path has fixed.
//! exits: 0 1 2
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int x = klee_int("x");
  char s[16];
  if (x == 42) {
    int n = snprintf(s, sizeof s, "%05d|%x", 42, 42);
    return n == 8 && strcmp(s, "00042|2a") == 0 ? 1 : 9;
  }
  if (x == 7) {
    int n = snprintf(s, 4, "%s", "truncated");
    return n == 9 && strcmp(s, "tru") == 0 ? 2 : 8;
  }
  return 0;
}
