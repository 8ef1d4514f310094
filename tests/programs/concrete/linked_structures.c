// Lists, trees and a hash table on the heap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree {
  char *word;
  int count;
  struct tree *left, *right;
};

static struct tree *add(struct tree *t, const char *word) {
  if (!t) {
    t = calloc(1, sizeof *t);
    t->word = malloc(strlen(word) + 1);
    strcpy(t->word, word);
  }
  int order = strcmp(word, t->word);
  if (order == 0)
    t->count++;
  else if (order < 0)
    t->left = add(t->left, word);
  else
    t->right = add(t->right, word);
  return t;
}

static int show(struct tree *t, int depth) {
  if (!t)
    return depth;
  int l = show(t->left, depth + 1);
  printf("%s:%d:%d ", t->word, t->count, depth);
  int r = show(t->right, depth + 1);
  free(t->word);
  free(t);
  return l > r ? l : r;
}

int main(void) {
  char text[] = "the quick brown fox jumps over the lazy dog while the other dog sleeps in the quick sun";
  struct tree *root = NULL;
  for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
    root = add(root, w);
  int depth = show(root, 0);
  puts("");
  return depth;
}
