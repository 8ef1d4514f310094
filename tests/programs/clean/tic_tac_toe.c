// Two moves of each player; who takes a taken square loses.
//! exits: 0 1 2
#include <klee/klee.h>

int main(void) {
  unsigned char move[3];
  klee_make_symbolic(move, sizeof move, "move");
  unsigned char board[9] = {0};
  for (int i = 0; i < 3; i++) {
    if (move[i] >= 9)
      return 0;
    if (board[move[i]])
      return 1 + i % 2;
    board[move[i]] = 1;
  }
  return 0;
}
