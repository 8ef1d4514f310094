// A list that grows for ever.
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
  struct node *list = 0;
  for (int i = 0;; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->value = i;
    list = node;
  }
}
