/* A walk through a maze: find the key, open the door, take the treasure.
 *
 * The player moves with w, a, s and d, and runs two steps at once with W, A, S and D. The floor is old: no field
 * carries the player twice. The treasure must be out of reach without the key. It is not: which moves show it?
 *
 *     secateur run examples/maze.c
 */
#include <assert.h>
#include <klee/klee.h>
#include <stdbool.h>
#include <stdio.h>

enum { MOVES = 10, ROWS = 7, COLUMNS = 10 };

static char maze[ROWS][COLUMNS + 1] = {
    "##########",
    "#@  #   k#",
    "### # ####",
    "#     #  #",
    "# ### #$ #",
    "#   #  D #",
    "##########",
};

static int row = 1, column = 1;
static bool has_key;

/* Whether the player may stand on a field. */
static bool is_free(int r, int c) {
  if (r < 0 || r >= ROWS || c < 0 || c >= COLUMNS) return false;
  switch (maze[r][c]) {
    case ' ':
    case 'k':
    case '$': return true;
    case 'D': return has_key;
    default: return false;
  }
}

/* Goes to a field, if that is possible, and tells what lies there; the field left behind breaks away. */
static char step(int down, int right) {
  if (!is_free(row + down, column + right)) return '#';
  maze[row][column] = '.';
  row += down;
  column += right;
  char found = maze[row][column];
  maze[row][column] = '@';
  return found;
}

static char move(char key) {
  switch (key) {
    case 'w': return step(-1, 0);
    case 's': return step(1, 0);
    case 'a': return step(0, -1);
    case 'd': return step(0, 1);
    case 'W': return step(-2, 0);
    case 'S': return step(2, 0);
    case 'A': return step(0, -2);
    case 'D': return step(0, 2);
    default: return '#';
  }
}

static void draw(void) {
  for (int r = 0; r < ROWS; r++) puts(maze[r]);
}

int main(void) {
  char moves[MOVES];
  klee_make_symbolic(moves, sizeof moves, "moves");
  for (int i = 0; i < MOVES; i++) {
    char found = move(moves[i]);
    if (found == '#') return 1; /* a wall, or no field at all: the game is lost */
    if (found == 'k') has_key = true;
    if (found == '$') {
      draw();
      assert(has_key);
      puts("You win.");
      return 0;
    }
  }
  return 2; /* tired */
}
