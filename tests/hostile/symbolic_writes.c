// Each write at a symbolic index makes thousands of expressions.
#include <klee/klee.h>
static int table[4096];
int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  for (unsigned i = 0;; i++) {
    table[(x + i * 7) & 4095] = (int)(x * i);
    if (table[i & 4095] == 123456789) return 1;
  }
}
