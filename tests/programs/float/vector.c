// Vectors of floats.
//! exits: 0 1
#include <klee/klee.h>

typedef float v4 __attribute__((vector_size(16)));

int main(void) {
  signed char n;
  klee_make_symbolic(&n, sizeof n, "n");
  v4 a = {1.0f, 2.0f, 3.0f, 4.0f};
  float x = n;
  v4 b = a * x + 0.5f;
  for (int i = 0; i < 4; i++)
    klee_assert(b[i] == (float)((i + 1) * n) + 0.5f);
  if (b[3] == 40.5f)
    return 1;
  return 0;
}
