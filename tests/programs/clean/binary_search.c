// A right binary search: it finds what is there and nothing else.
//! exits: 0 1
#include <klee/klee.h>

static const int a[7] = {-50, -3, 0, 4, 9, 100, 1000};

int main(void) {
  int key = klee_int("key");
  int low = 0, high = 7;
  while (low < high) {
    int mid = low + (high - low) / 2;
    if (a[mid] < key)
      low = mid + 1;
    else
      high = mid;
  }
  int found = low < 7 && a[low] == key;
  int really = 0;
  for (int i = 0; i < 7; i++)
    really |= a[i] == key;
  klee_assert(found == really);
  if (found)
    return 1;
  return 0;
}
