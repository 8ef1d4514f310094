// The product with the unit matrix changes nothing.
//! exits: 0 1
#include <klee/klee.h>

int main(void) {
  signed char m[2][2];
  klee_make_symbolic(m, sizeof m, "m");
  int unit[2][2] = {{1, 0}, {0, 1}}, r[2][2] = {{0}};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++)
        r[i][j] += m[i][k] * unit[k][j];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      klee_assert(r[i][j] == m[i][j]);
  if (r[0][0] + r[1][1] == 100)
    return 1;
  return 0;
}
