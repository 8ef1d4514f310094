// Recursive merge sort of four bytes.
//! exits: 0
#include <klee/klee.h>

static void sort(unsigned char *a, int n, unsigned char *spare) {
  if (n < 2)
    return;
  int half = n / 2;
  sort(a, half, spare);
  sort(a + half, n - half, spare);
  int i = 0, j = half, k = 0;
  while (i < half && j < n)
    spare[k++] = a[i] <= a[j] ? a[i++] : a[j++];
  while (i < half)
    spare[k++] = a[i++];
  while (j < n)
    spare[k++] = a[j++];
  for (k = 0; k < n; k++)
    a[k] = spare[k];
}

int main(void) {
  unsigned char a[4], spare[4];
  klee_make_symbolic(a, sizeof a, "a");
  sort(a, 4, spare);
  for (int i = 0; i < 3; i++)
    if (a[i] > a[i + 1])
      return 1;
  return 0;
}
