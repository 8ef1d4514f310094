// Addresses of every shape: arrays in structures in arrays, negative steps, pointers to arrays.
//! exits: 0 1
#include <klee/klee.h>

struct cell {
  char pad;
  struct {
    short v[3];
    int w;
  } in[2];
};

static struct cell grid[3][4];

int main(void) {
  unsigned char i, j, k;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_make_symbolic(&k, sizeof k, "k");
  if (i >= 3 || j >= 4 || k >= 3)
    return 0;
  grid[i][j].in[1].v[k] = 77;
  struct cell(*row)[4] = &grid[i];
  short *p = &(*row)[j].in[1].v[2];
  klee_assert(p[(int)k - 2] == 77);
  char *byte = (char *)&grid[2][3] - (2 - i) * (long)sizeof grid[0] - (3 - j) * (long)sizeof(struct cell);
  klee_assert(((struct cell *)byte)->in[1].v[k] == 77);
  if (grid[1][2].in[1].v[0] == 77)
    return 1;
  return 0;
}
