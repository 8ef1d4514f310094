// A walk of four steps through a small maze.
//! exits: 0 1
#include <klee/klee.h>

static const char maze[4][6] = {"#####", "#  X#", "# ###", "#####"};

int main(void) {
  char moves[4];
  klee_make_symbolic(moves, sizeof moves, "moves");
  int x = 1, y = 2;
  for (int i = 0; i < 4; i++) {
    switch (moves[i]) {
    case 'w':
      y--;
      break;
    case 's':
      y++;
      break;
    case 'a':
      x--;
      break;
    case 'd':
      x++;
      break;
    default:
      return 0;
    }
    if (maze[y][x] == '#')
      return 0;
    if (maze[y][x] == 'X')
      return 1;
  }
  return 0;
}
