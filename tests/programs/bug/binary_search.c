// A binary search whose upper bound is one too large.
//! exits: 0 1
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  volatile int *a = malloc(3 * sizeof(int));
  a[0] = 10;
  a[1] = 20;
  a[2] = 30;
  int key = klee_range(0, 100, "key");
  int low = 0, high = 3, found = 0;
  while (low <= high && !found) {
    int mid = (low + high) / 2;
    int v = a[mid]; //~ BUG out-of-bounds-read
    if (v == key)
      found = 1;
    else if (v < key)
      low = mid + 1;
    else
      high = mid - 1;
  }
  free((void *)a);
  return found;
}
