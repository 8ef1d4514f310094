// Everything that was allocated is freed, or still pointed to at the end.
//! args: --check leak
//! exits: 0 1
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *kept;

int main(void) {
  int x = klee_int("x");
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = kept;
    kept = n;
  }
  if (x == 9) {
    while (kept) {
      struct node *next = kept->next;
      free(kept);
      kept = next;
    }
    return 1;
  }
  return 0;
}
