// GCC vectors: arithmetic, comparison, elements.
//! exits: 0 1
#include <klee/klee.h>

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
  int x = klee_int("x");
  v4 a = {x, x, x, x};
  v4 b = {1, 2, 3, 4};
  v4 sum = a + b;
  v4 product = b * 10 - (b ^ 1);
  for (int i = 0; i < 4; i++)
    if (sum[i] != (int)((unsigned)x + i + 1) || product[i] != 10 * (i + 1) - ((i + 1) ^ 1))
      return 2;
  v4 mask = a > b;
  volatile int ones = -(mask[0] + mask[1] + mask[2] + mask[3]);
  if (ones == 2)
    return 1;
  return 0;
}
