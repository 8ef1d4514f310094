/* Checks a square of SIDE times SIDE numbers. */
#include "log.h"

#define CELLS (SIDE * SIDE)

typedef unsigned char square[CELLS];

static int in_range(unsigned char number) {
  if (number < 1) return 0;
  return number <= CELLS;
}

static int row_differs(const unsigned char *row) {
  for (int i = 0; i < SIDE; i++)
    for (int j = i + 1; j < SIDE; j++)
      if (row[i] == row[j]) return 0;
  return 1;
}

static int sum(const unsigned char *first, int step) {
  int total = 0;
  for (int i = 0; i < SIDE; i++) total += first[i * step];
  return total;
}

/* Which rule is broken first; 0 if it is a magic square. */
static int broken_rule(const unsigned char *cells) {
  for (int i = 0; i < CELLS; i++)
    if (!in_range(cells[i])) return 1;
  record(cells[0]);
  for (int i = 0; i < SIDE; i++)
    if (!row_differs(cells + i * SIDE)) return 2;
  int wanted = sum(cells, 1);
  for (int i = 1; i < SIDE; i++)
    if (sum(cells + i * SIDE, 1) != wanted) return 3;
  for (int i = 0; i < SIDE; i++)
    if (sum(cells + i, SIDE) != wanted) return 4;
  if (sum(cells, SIDE + 1) != wanted || sum(cells + SIDE - 1, SIDE - 1) != wanted) return 5;
  return 0;
}

int main(void) {
  square cells;
  SYM(cells, "cells");
  sink = broken_rule(cells);
  if (sink == 0) sink = 9;
  return 0;
}
