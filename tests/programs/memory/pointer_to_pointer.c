// Two levels of indirection.
//! exits: 0 1 2
#include <klee/klee.h>

static int x = 1, y = 2;
static int *px = &x, *py = &y;

__attribute__((noinline)) static void redirect(int **slot, int *to) { *slot = to; }

int main(void) {
  int k = klee_range(0, 3, "k");
  int **pp = k == 0 ? &px : &py;
  if (k == 2)
    redirect(pp, &x);
  **pp = 50;
  if (x == 50 && y == 2)
    return k == 2 ? 2 : 0;
  return 1;
}
