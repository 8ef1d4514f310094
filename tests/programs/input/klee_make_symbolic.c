// Objects of several kinds are made symbolic: a scalar, an array, part of a structure, the heap.
//! exits: 0 1 2 3 4
//! paths[O0]: 6
#include <klee/klee.h>
#include <stdlib.h>

struct pair {
  int known, unknown;
};

int main(void) {
  long a;
  char b[3];
  struct pair c = {5, 5};
  unsigned short *d = malloc(2 * sizeof *d);
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(b, sizeof b, "b");
  klee_make_symbolic(&c.unknown, sizeof c.unknown, "c");
  klee_make_symbolic(d, 4, "d");
  unsigned short second = d[1];
  free(d);
  if (a == 0x123456789abcdef)
    return 1;
  if (b[2] == 'z')
    return 2;
  if (c.unknown == -1)
    return 3;
  if (c.known != 5)
    return 9;
  if (second > 1000) {
    if (second == 54321)
      return 4;
    return 0;
  }
  return 0;
}
