// A list is built in order, reversed and freed.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *insert(struct node *head, int value) {
  struct node **at = &head;
  while (*at && (*at)->value < value)
    at = &(*at)->next;
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = *at;
  *at = n;
  return head;
}

int main(void) {
  short v[3];
  klee_make_symbolic(v, sizeof v, "v");
  struct node *head = NULL, *reversed = NULL;
  for (int i = 0; i < 3; i++)
    head = insert(head, v[i]);
  while (head) {
    struct node *next = head->next;
    head->next = reversed;
    reversed = head;
    head = next;
  }
  int last = 40000, ok = 1;
  while (reversed) {
    struct node *next = reversed->next;
    ok &= reversed->value <= last;
    last = reversed->value;
    free(reversed);
    reversed = next;
  }
  return !ok;
}
