// Binary trees: each node has two pointers of its own.
//! unit: tree_contains 6/6
//! unit: tree_depth 4/4 --pointer-depth 2
//! unit: tree_insert 8/8 --pointer-depth 2
//! unit: tree_mirror 2/2 --pointer-depth 2
#include <stdlib.h>

typedef struct tree {
  int key;
  struct tree *left, *right;
} tree;

int tree_contains(const tree *t, int key) {
  while (t) {
    if (key == t->key)
      return 1;
    if (key < t->key)
      t = t->left;
    else
      t = t->right;
  }
  return 0;
}

int tree_depth(const tree *t) {
  if (!t)
    return 0;
  int left = tree_depth(t->left), right = tree_depth(t->right);
  if (left > right)
    return left + 1;
  return right + 1;
}

/* Says whether the key is new. */
int tree_insert(tree **root, int key) {
  if (!root)
    return 0;
  while (*root) {
    if ((*root)->key == key)
      return 0;
    if (key < (*root)->key)
      root = &(*root)->left;
    else
      root = &(*root)->right;
  }
  *root = calloc(1, sizeof **root);
  (*root)->key = key;
  return 1;
}

static void tree_mirror(tree *t) {
  if (!t)
    return;
  tree *left = t->left;
  t->left = t->right;
  t->right = left;
  tree_mirror(t->left);
  tree_mirror(t->right);
}
