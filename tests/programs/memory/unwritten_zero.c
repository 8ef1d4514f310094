// Memory that was never written is zero unless told otherwise; other values are not tried.
//! levels: O0
//! exits: 0
#include <stdlib.h>

int main(void) {
  volatile int local;
  int *heap = malloc(2 * sizeof *heap);
  if (local == 5) return 1;
  if (heap[1] > 3) return 2;
  return 0;
}
