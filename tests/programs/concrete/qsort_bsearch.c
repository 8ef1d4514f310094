// Sorting numbers, strings and structures, and searching in them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int key;
  char name[8];
};

static int by_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_key(const void *a, const void *b) { return ((const struct item *)b)->key - ((const struct item *)a)->key; }

int main(void) {
  int n[50];
  unsigned seed = 7;
  for (int i = 0; i < 50; i++) {
    seed = seed * 1664525u + 1013904223u;
    n[i] = (int)(seed >> 16) % 1000 - 500;
  }
  qsort(n, 50, sizeof *n, by_int);
  for (int i = 0; i < 50; i++)
    printf("%d ", n[i]);
  puts("");
  const char *words[] = {"pear", "apple", "fig", "banana", "cherry"};
  qsort(words, 5, sizeof *words, by_text);
  for (int i = 0; i < 5; i++)
    printf("%s ", words[i]);
  puts("");
  struct item items[] = {{3, "three"}, {9, "nine"}, {1, "one"}, {4, "four"}};
  qsort(items, 4, sizeof *items, by_key);
  for (int i = 0; i < 4; i++)
    printf("%d:%s ", items[i].key, items[i].name);
  puts("");
  int missing = 12345, present = n[20];
  printf("%d %d\n", bsearch(&missing, n, 50, sizeof *n, by_int) == NULL, *(int *)bsearch(&present, n, 50, sizeof *n, by_int) == present);
  return 0;
}
