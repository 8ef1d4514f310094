// Bytes without a type, vectors that grow, and out-parameters.
//! unit: checksum 6/6 --array-len 1
//! unit: same_bytes 4/4 --array-len 1
//! unit: vector_push 6/6 --array-len 2 --non-null
//! unit: divide 4/4 --array-len 1
//! unit: swap_pointers 4/4 --array-len 1 --str-len 1
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int checksum(const void *data, size_t size) {
  if (!data || size != 4)
    return -1;
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum ^= ((const unsigned char *)data)[i];
  return sum;
}

bool same_bytes(const void *a, const void *b) {
  if (!a || !b)
    return a == b;
  return memcmp(a, b, 2) == 0;
}

struct vector {
  int *items;
  unsigned count, capacity;
};

bool vector_push(struct vector *v, int item) {
  if (!v->items || v->capacity != 2)
    return false;
  v->count %= 3;
  if (v->count == v->capacity) {
    v->capacity *= 2;
    v->items = realloc(v->items, v->capacity * sizeof *v->items);
  }
  v->items[v->count++] = item;
  return true;
}

int divide(int a, int b, int *quotient, int *remainder) {
  if (b <= 0 || a < 0)
    return -1;
  *quotient = a / b; //~[divide] BUG null-pointer
  *remainder = a % b; //~[divide] BUG null-pointer
  return 0;
}

void swap_pointers(char **a, char **b) {
  if (!a || !b)
    return;
  char *first = *a;
  *a = *b;
  *b = first;
}
