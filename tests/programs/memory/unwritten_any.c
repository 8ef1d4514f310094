// Memory that was never written has any value, also where it was copied; what was written has its own.
//! args: --uninit any
//! levels: O0
//! exits: 0 1 2 3 4
#include <stdlib.h>
#include <string.h>

struct pair {
  char a;
  int b;
};

static int choose(void) {
  int local;
  return local == 77;
}

int main(void) {
  int *heap = malloc(4 * sizeof *heap);
  heap[0] = 6;
  if (heap[0] != 6) return 9;
  if (heap[1] > 3) return 1;
  struct pair one, two;
  one.a = 'x';
  two = one;
  if (two.b != one.b || two.a != 'x') return 8;
  if (two.b == 0x1234) return 2;
  heap = realloc(heap, 8 * sizeof *heap);
  if (heap[1] > 3) return 7;
  if (heap[7] == -1) return 3;
  if (choose()) return 4;
  return 0;
}
