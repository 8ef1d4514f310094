// Elements are read and written at symbolic indices, beside others that were never written: that is no use of uninitialised memory.
//! args: --check uninit
//! levels: O0
//! exits: 1 2 3 4
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

struct padded {
  char tag;
  int number;
};

int main(void) {
  int i = klee_range(0, 8, "i");
  int squares[8];
  if (i >= 3) {
    // Written and read at the same index.
    int *flags = malloc(8 * sizeof *flags);
    if (!flags)
      return 9;
    flags[i] = i;
    int *moved = realloc(flags, 16 * sizeof *flags);
    int found = moved[i];
    free(moved);
    return found == i ? 3 : 8;
  }
  for (int k = 0; k < 3; k++)
    squares[k] = k * k;
  if (squares[i] == 4)
    return 2;
  struct padded list[3], copy;
  for (int k = 0; k < 2; k++) {
    list[k].tag = (char)k;
    list[k].number = k;
  }
  memcpy(&copy, &list[i], sizeof copy);
  if (copy.number == 1)
    return copy.tag;
  int *last = i == 0 ? &squares[2] : &squares[7];
  if (*last == 4)
    return 4;
  return 0;
}
