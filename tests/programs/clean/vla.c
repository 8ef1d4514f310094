// Variable-length arrays, one and two dimensions, in a loop.
//! exits: 0 1 2
#include <klee/klee.h>

__attribute__((noinline)) int diagonal(int n) {
  int m[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = i * 10 + j;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += m[i][i];
  return sum + (int)(sizeof m / sizeof m[0][0]);
}

int main(void) {
  int x = klee_int("x");
  int r;
  if (x == 1)
    r = diagonal(1);
  else if (x == 2)
    r = diagonal(2);
  else
    r = diagonal(3);
  if (r == 1)
    return 1;
  if (r == 15)
    return 2;
  return r == 42 ? 0 : 3;
}
