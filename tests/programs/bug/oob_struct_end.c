// An index runs over the array at the end of a structure on the heap.
//! exits: 0
//! paths[O0]: 2
#include <klee/klee.h>
#include <stdlib.h>

struct record {
  int id;
  unsigned short values[3];
};

int main(void) {
  unsigned char k;
  klee_make_symbolic(&k, sizeof k, "k");
  klee_assume(k < 8);
  struct record *r = malloc(sizeof *r);
  volatile unsigned short *values = r->values;
  values[k] = 1; //~ BUG out-of-bounds-write
  free(r);
  return 0;
}
