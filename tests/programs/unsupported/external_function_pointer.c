// An unmodelled function that is called through a pointer.
//! exits: 0
//! unsupported: strfry
#define _GNU_SOURCE
#include <klee/klee.h>
#include <string.h>

char *(*volatile scramble)(char *) = strfry;

int main(void) {
  char s[2] = "a";
  if (klee_int("x") == -9)
    scramble(s);
  return s[1];
}
