// A string is freed that was replaced by a constant one.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>
#include <stdlib.h>

char none[] = "none";

int main(void) {
  int named = klee_int("named");
  char *volatile name = none;
  if (named)
    name = malloc(8);
  free(name); //~ BUG invalid-free
  return 0;
}
