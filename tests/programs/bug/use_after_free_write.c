// A list node is unlinked and freed, but one alias stays and is written.
//! exits: 0
//! paths[O0]: 3
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  volatile int value;
  struct node *next;
};

int main(void) {
  int k = klee_range(0, 3, "k");
  struct node *head = malloc(sizeof *head);
  head->value = 0;
  head->next = NULL;
  struct node *cursor = head;
  switch (k) {
  case 0:
    head->value = 5;
    break;
  case 1:
    free(head);
    head = NULL;
    break;
  default:
    break;
  }
  cursor->value = k; //~ BUG use-after-free
  free(head);
  return 0;
}
