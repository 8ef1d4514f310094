// Backtracking and recursion.
#include <stdio.h>

static int column[8], solutions;

static void place(int row, int n) {
  if (row == n) {
    if (solutions++ % 8 == 0) {
      for (int i = 0; i < n; i++)
        printf("%d", column[i]);
      puts("");
    }
    return;
  }
  for (int c = 0; c < n; c++) {
    int ok = 1;
    for (int r = 0; r < row && ok; r++)
      ok = column[r] != c && column[r] - c != row - r && c - column[r] != row - r;
    if (ok) {
      column[row] = c;
      place(row + 1, n);
    }
  }
}

static int moves;
static void hanoi(int n, char from, char to, char by) {
  if (n == 0)
    return;
  hanoi(n - 1, from, by, to);
  if (moves++ % 10 == 0)
    printf("%d:%c>%c ", n, from, to);
  hanoi(n - 1, by, to, from);
}

int main(void) {
  place(0, 7);
  hanoi(7, 'a', 'b', 'c');
  printf("\n%d %d\n", solutions, moves);
  return solutions;
}
