// Singly linked lists: nodes reach each other through pointers that may be null.
//! unit: list_length 2/2
//! unit: list_sum 4/4
//! unit: list_find 4/4
//! unit: list_reverse 2/2
//! unit: list_insert_sorted 6/6 --pointer-depth 2
//! unit: list_last 4/4
//! unit: list_free 2/2
#include <stddef.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int list_length(const struct node *list) {
  int length = 0;
  for (; list != NULL; list = list->next)
    length++;
  return length;
}

/* -1 if a value is negative. */
int list_sum(const struct node *list) {
  unsigned sum = 0;
  while (list) {
    if (list->value < 0)
      return -1;
    sum += (unsigned)list->value % 100;
    list = list->next;
  }
  return (int)sum;
}

const struct node *list_find(const struct node *list, int value) {
  while (list != NULL) {
    if (list->value == value)
      return list;
    list = list->next;
  }
  return NULL;
}

struct node *list_reverse(struct node *list) {
  struct node *reversed = NULL;
  while (list != NULL) {
    struct node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  return reversed;
}

/* The new node belongs to the caller. */
static struct node *list_insert_sorted(struct node *list, struct node *added) {
  struct node **at = &list;
  if (added == NULL)
    return list;
  while (*at != NULL && (*at)->value < added->value)
    at = &(*at)->next;
  added->next = *at;
  *at = added;
  return list;
}

/* Does not look whether there is a list at all. */
int list_last(struct node *list) {
  while (list->next != NULL) //~[list_last] BUG null-pointer
    list = list->next;
  if (list->value == 42)
    return 1;
  return 0;
}

void list_free(struct node *list) {
  while (list != NULL) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}
