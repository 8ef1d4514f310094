// An unmodelled function that is called through a pointer.
//! exits: 0
//! unsupported: memfrob
#define _GNU_SOURCE
#include <klee/klee.h>
#include <string.h>

void *(*volatile scramble)(void *, size_t) = memfrob;

int main(void) {
  char s[2] = "a";
  if (klee_int("x") == -9)
    scramble(s, 1);
  return s[1];
}
