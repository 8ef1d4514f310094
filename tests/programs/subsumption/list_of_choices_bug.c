// A list on the heap: removing the only node leaves a pointer to it.
//! exits: 0
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);

struct node {
  struct node *next;
  int value;
};

struct node *volatile first, *volatile last;

int main(void) {
  for (int i = 0; i < 4; i++) {
    if (__VERIFIER_nondet_bool()) {
      struct node *node = malloc(sizeof *node);
      if (!node)
        return 0;
      node->next = first;
      node->value = i;
      if (!first)
        last = node;
      first = node;
    } else if (first) {
      struct node *gone = first;
      first = gone->next;
      free(gone);
    }
  }
  if (last)
    last->value = 7; //~ BUG use-after-free
  return 0;
}
