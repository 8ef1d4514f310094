// Matrices of doubles: product, determinant by elimination, transposition.
#include <stdio.h>

#define N 4
typedef double matrix[N][N];

static void multiply(const double (*a)[N], const double (*b)[N], matrix r) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      r[i][j] = 0;
      for (int k = 0; k < N; k++)
        r[i][j] += a[i][k] * b[k][j];
    }
}

static double determinant(matrix m) {
  double d = 1;
  for (int c = 0; c < N; c++) {
    int p = c;
    while (p < N && m[p][c] == 0)
      p++;
    if (p == N)
      return 0;
    if (p != c)
      d = -d;
    for (int k = 0; k < N; k++) {
      double t = m[p][k];
      m[p][k] = m[c][k];
      m[c][k] = t;
    }
    d *= m[c][c];
    for (int r = c + 1; r < N; r++) {
      double f = m[r][c] / m[c][c];
      for (int k = c; k < N; k++)
        m[r][k] -= f * m[c][k];
    }
  }
  return d;
}

int main(void) {
  matrix a = {{2, 0, 1, 3}, {0, 0, 4, 1}, {5, 2, 0, 2}, {1, 1, 1, 1}}, b, r;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      b[j][i] = a[i][j] + 0.5;
  multiply((const double (*)[N])a, (const double (*)[N])b, r);
  for (int i = 0; i < N; i++)
    printf("%g %g %g %g\n", r[i][0], r[i][1], r[i][2], r[i][3]);
  printf("%.10g %.10g\n", determinant(a), determinant(r));
  return 0;
}
