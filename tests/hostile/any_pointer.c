// A pointer that may be anywhere among many objects.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int *objects[200];
  for (int i = 0; i < 200; i++) objects[i] = calloc(16, sizeof(int));
  for (;;) {
    unsigned i = (unsigned)klee_int("i") % 200, j = (unsigned)klee_int("j") % 16;
    objects[i][j]++;
    if (objects[(i * 7) % 200][(j + 1) % 16] == 3) return 1;
  }
}
