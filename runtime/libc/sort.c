/* qsort. The comparison function belongs to the program, so the order in which it is called decides
 * which branches the program takes. This is the merge sort that glibc uses: the same
 * comparisons in the same order, so that a native replay takes the predicted path. */
#define _GNU_SOURCE
#include "replaceable.h"

#include <stdlib.h>
#include <string.h>

typedef int (*comparison)(const void *, const void *, void *);

static void sort(char *first, size_t count, size_t size, comparison compare, void *context, char *merged) {
  if (count <= 1) return;
  size_t left_count = count / 2, right_count = count - left_count;
  char *left = first, *right = first + left_count * size, *to = merged;
  sort(left, left_count, size, compare, context, merged);
  sort(right, right_count, size, compare, context, merged);
  while (left_count > 0 && right_count > 0) {
    if (compare(left, right, context) <= 0) {
      memcpy(to, left, size);
      left += size;
      left_count--;
    } else {
      memcpy(to, right, size);
      right += size;
      right_count--;
    }
    to += size;
  }
  /* The rest of the right half is already in place. */
  memcpy(to, left, left_count * size);
  memcpy(first, merged, (count - right_count) * size);
}

REPLACEABLE void qsort_r(void *array, size_t count, size_t size, comparison compare, void *context) {
  if (count <= 1 || size == 0) return;
  char *merged = malloc(count * size);
  if (merged == 0) abort();
  sort(array, count, size, compare, context, merged);
  free(merged);
}

static int without_context(const void *a, const void *b, void *compare) {
  return ((int (*)(const void *, const void *))compare)(a, b);
}

REPLACEABLE void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  qsort_r(array, count, size, without_context, (void *)compare);
}
