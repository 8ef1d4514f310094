// A list on the heap whose nodes are added in front or behind: paths with as many nodes end alike.
//! exits: 0
//! complete: yes
#include <assert.h>
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);

struct node {
  struct node *next;
};

int main(void) {
  struct node *first = 0, *last = 0;
  int length = 0;
  for (int i = 0; i < 3; i++) {
    if (!__VERIFIER_nondet_bool())
      continue;
    struct node *node = malloc(sizeof *node);
    if (!node)
      return 0;
    node->next = 0;
    length++;
    if (!first) {
      first = last = node;
    } else if (__VERIFIER_nondet_bool()) {
      node->next = first;
      first = node;
    } else {
      last->next = node;
      last = node;
    }
  }
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
    length--;
  }
  assert(length == 0);
  return 0;
}
