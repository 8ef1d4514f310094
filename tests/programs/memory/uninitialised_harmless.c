// Reading what was not initialised is no bug while nothing depends on it.
//! args: --check uninit
//! levels: O0
//! exits: 0 1
#include <klee/klee.h>
#include <string.h>

struct padded {
  char c;
  int i;
};

int main(void) {
  int x = klee_int("x");
  struct padded a, b;
  a.c = 'a';
  a.i = x;
  b = a;
  char copy[sizeof b];
  memcpy(copy, &b, sizeof b);
  memcpy(&a, copy, sizeof a);
  if (a.i == 5)
    return 1;
  return 0;
}
