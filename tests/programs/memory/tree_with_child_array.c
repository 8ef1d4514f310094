// A search tree whose children are an array, so that which child comes next is an index that the input decides.
//! exits: 0 1
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  const unsigned char *key;
  struct node *child[2];
};

static void insert(struct node **place, const unsigned char *key) {
  while (*place) {
    if (*key == *(*place)->key)
      return;
    place = &(*place)->child[*key > *(*place)->key];
  }
  *place = calloc(1, sizeof **place);
  (*place)->key = key;
}

static int sorted(const struct node *node, int *last) {
  if (!node)
    return 1;
  if (!sorted(node->child[0], last) || *node->key <= *last)
    return 0;
  *last = *node->key;
  return sorted(node->child[1], last);
}

int main(void) {
  unsigned char keys[3] = {0, 100, 0};
  klee_make_symbolic(&keys[0], 1, "first");
  keys[2] = keys[0] ^ 0x80;
  struct node *root = 0;
  for (int k = 0; k < 3; k++)
    insert(&root, &keys[k]);
  int last = -1;
  if (!sorted(root, &last))
    return 9;
  return root->child[0] && root->child[1];
}
