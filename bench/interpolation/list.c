// A linked list on the heap: nodes are added in front or behind, some are removed, the rest is counted and freed.
//! verdict: VERIFIED
//! verdict[BUG]: BUG use-after-free
//! small: -DN=4
#include "verifier.h"
#include <stdlib.h>

#ifndef N
#define N 12
#endif

struct node {
  struct node *next;
  int marked;
};

static struct node *first, *last;
static int length;

static void add(int in_front, int marked) {
  struct node *node = malloc(sizeof *node);
  if (!node)
    exit(1);
  node->marked = marked;
  node->next = 0;
  if (!first) {
    first = last = node;
  } else if (in_front) {
    node->next = first;
    first = node;
  } else {
    last->next = node;
    last = node;
  }
  length++;
}

/* Removes the first node if it is marked. */
static void drop_marked(void) {
  if (!first || !first->marked)
    return;
  struct node *gone = first;
  first = gone->next;
#ifndef BUG
  if (!first)
    last = 0;
#endif
  free(gone);
  length--;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    if (flag())
      add(flag(), flag());
    else
      drop_marked();
  }
#ifdef BUG
  if (last)
    last->marked = 1; //~ BUG use-after-free
#endif
  int counted = 0;
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
    counted++;
  }
  assert(counted == length);
  assert(length <= N);
  return 0;
}
