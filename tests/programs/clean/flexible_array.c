// A structure with a flexible array member.
//! exits: 0 1
//! paths[O0]: 4
#include <klee/klee.h>
#include <stdlib.h>

struct text {
  unsigned length;
  char data[];
};

int main(void) {
  struct text *t = malloc(sizeof *t + 3);
  t->length = 3;
  klee_make_symbolic(t->data, 3, "data");
  for (unsigned i = 0; i < t->length; i++) {
    if (t->data[i] != "key"[i]) {
      free(t);
      return 0;
    }
  }
  free(t);
  return 1;
}
