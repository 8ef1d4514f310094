// Two normal exits, a division by zero, a failed assertion and a read past the end.
#include <assert.h>
#include <klee/klee.h>

static int table[4] = {1, 2, 3, 4};

int main(void) {
  unsigned char x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  if (x > 200)
    return 100 / (x - 201);
  if (x == 77)
    assert(y != y);
  return table[y % 5];
}
