// Squares of nine numbers from 1 to 9 whose rows and columns have the same sum: with five of them, the sixth line has it, too.
//! exits: 0 1 2 3
//! branches[O0]: all
#include <klee/klee.h>

#define SIDE 3

static int sum(const unsigned char *first, int step) {
  return first[0] + first[step] + first[2 * step];
}

int main(void) {
  unsigned char cells[SIDE * SIDE];
  klee_make_symbolic(cells, sizeof cells, "cells");
  for (int i = 0; i < SIDE * SIDE; i++)
    if (cells[i] < 1 || cells[i] > 9)
      return 1;
  int wanted = sum(cells, 1);
  for (int i = 1; i < SIDE; i++)
    if (sum(cells + SIDE * i, 1) != wanted)
      return 2;
  for (int i = 0; i < SIDE; i++)
    if (sum(cells + i, SIDE) != wanted)
      return i == SIDE - 1 ? 4 : 3;
  return 0;
}
