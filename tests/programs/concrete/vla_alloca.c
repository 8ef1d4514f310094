// Variable-length arrays, parameters of variable type, alloca.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static long trace(int n, long m[n][n]) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += m[i][i];
  return sum;
}

static long build(int n) {
  long m[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = (i + 1) * (j + 2);
  return trace(n, m) + (long)sizeof m;
}

int main(void) {
  for (int n = 1; n < 9; n++)
    printf("%ld ", build(n));
  puts("");
  char *parts[5];
  for (int i = 0; i < 5; i++) {
    parts[i] = alloca((size_t)i + 2);
    memset(parts[i], 'a' + i, (size_t)i + 1);
    parts[i][i + 1] = 0;
  }
  for (int i = 0; i < 5; i++)
    puts(parts[i]);
  int total = 0;
  for (int i = 1; i < 50; i++) {
    int v[i];
    v[i - 1] = i;
    total += v[i - 1];
  }
  return total % 256;
}
