// Nested loops over symbolic flags: how many flags of a table are set, and how many of its rows have one.
//! verdict: VERIFIED
//! verdict[BUG]: BUG assertion
//! small: -DROWS=3 -DCOLUMNS=3
#include "verifier.h"

#ifndef ROWS
#define ROWS 8
#endif
#ifndef COLUMNS
#define COLUMNS 8
#endif

int main(void) {
  int cells = 0, rows = 0, full = 0;
  for (int row = 0; row < ROWS; row++) {
    int here = 0;
    for (int column = 0; column < COLUMNS; column++) {
      if (flag())
        here++;
    }
    cells += here;
    if (here > 0)
      rows++;
#ifdef BUG
    if (here >= COLUMNS - 1)
      full++;
#else
    if (here == COLUMNS)
      full++;
#endif
  }
  assert(rows <= ROWS && full <= rows);
  assert(cells <= rows * COLUMNS);
  assert(cells >= full * COLUMNS); //~ BUG assertion
  return 0;
}
