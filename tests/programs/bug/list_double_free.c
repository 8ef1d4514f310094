// Removing the same node twice frees it twice.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  int key;
  struct node *next;
};

void drop(struct node *n) {
  free(n); //~ BUG double-free
}

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a < 3);
  klee_assume(b < 3);
  struct node *nodes[3];
  for (int i = 0; i < 3; i++)
    nodes[i] = malloc(sizeof(struct node));
  drop(nodes[a]);
  drop(nodes[b]);
  return 0;
}
