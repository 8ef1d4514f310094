// Two to the power of sixty-four paths, each of which might read behind the end of the table.
#include <klee/klee.h>
static const char table[65];
int main(void) {
  unsigned long x;
  int bits = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  for (int i = 0; i < 64; i++)
    if (x >> i & 1) bits++;
  return table[bits];
}
