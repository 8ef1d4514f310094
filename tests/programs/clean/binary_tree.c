// A binary search tree: inserted keys are found, its walk is sorted.
//! exits: 0
#include <klee/klee.h>
#include <stdlib.h>

struct tree {
  unsigned char key;
  struct tree *child[2];
};

static void insert(struct tree **t, unsigned char key) {
  while (*t) {
    if ((*t)->key == key)
      return;
    t = &(*t)->child[key > (*t)->key];
  }
  *t = calloc(1, sizeof **t);
  (*t)->key = key;
}

static int walk(struct tree *t, int low) {
  if (!t)
    return low;
  low = walk(t->child[0], low);
  klee_assert(t->key > low);
  low = walk(t->child[1], t->key);
  free(t);
  return low;
}

int main(void) {
  unsigned char keys[3];
  klee_make_symbolic(keys, sizeof keys, "keys");
  struct tree *root = NULL;
  for (int i = 0; i < 3; i++)
    insert(&root, keys[i]);
  walk(root, -1);
  return 0;
}
