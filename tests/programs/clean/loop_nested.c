// Two nested loops with bounds from the input, break and continue.
//! exits: 0 1 2 4 6
#include <klee/klee.h>

volatile int count;

int main(void) {
  int n = klee_range(0, 4, "n");
  int m = klee_range(0, 4, "m");
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      if (i == j)
        continue;
      if (count == 6)
        break;
      count++;
    }
  }
  return count;
}
